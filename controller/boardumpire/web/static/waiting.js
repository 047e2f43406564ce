// Looks again until the others have answered.
setTimeout(() => location.replace(location.pathname.replace(/(\/ask)?$/, "/ask")), 1500);
