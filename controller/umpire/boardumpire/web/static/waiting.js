// Looks again until the others have answered. The page itself stays as it is: it may be being read aloud.
const there = location.pathname.replace(/(\/ask)?$/, "/ask");
const look = () =>
  fetch(there, { method: "HEAD", redirect: "manual" }).then(
    ({ status }) => (status === 202 || status >= 429 ? again() : location.replace(there)),
    again,
  );
const again = () => setTimeout(look, 1500);
again();
