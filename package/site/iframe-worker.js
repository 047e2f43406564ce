// A Worker for pages that are opened from a folder, where browsers start none: its script runs in a hidden frame.
// The name of this file tells Material for MkDocs that it needs no other one.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(url) {
      super();
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const inside = this.#frame.contentWindow;
      // Written, since Firefox loads an empty frame once more, and what was put into it is gone.
      inside.document.open();
      inside.document.write("<body></body>");
      inside.document.close();
      inside.postMessage = (data) => this.#told(data);
      inside.importScripts = (...urls) =>
        urls.reduce((before, each) => before.then(() => this.#run(each)), Promise.resolve());
      this.#ready = this.#run(url);
    }

    postMessage(data) {
      this.#ready.then(() => {
        const inside = this.#frame.contentWindow;
        inside.dispatchEvent(new inside.MessageEvent("message", { data: structuredClone(data) }));
      });
    }

    terminate() {
      this.#frame.remove();
    }

    #told(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      this.onmessage?.(event);
    }

    #run(url) {
      const inside = this.#frame.contentDocument;
      const script = inside.createElement("script");
      return new Promise((resolve, reject) => {
        script.onload = resolve;
        script.onerror = reject;
        script.src = new URL(url, document.baseURI);
        inside.body.append(script);
      });
    }
  };
  // By this the search knows that it runs in a frame.
  window.IFrameWorker = window.Worker;
}
