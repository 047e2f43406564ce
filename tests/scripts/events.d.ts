// Events of the page's own classes are `CustomEvent`s: what one is about is its `detail`.

interface Event {
  detail: any;
}
