// What is wider than a phone scrolls sideways; with a keyboard it can be scrolled only where it takes the focus.
for (const moment of ["load", "resize"])
  addEventListener(moment, () => {
    for (const region of document.querySelectorAll("pre > code, .md-typeset__scrollwrap"))
      if (region.scrollWidth > region.clientWidth) region.tabIndex = 0;
      else region.removeAttribute("tabindex");
  });
