// Search without a server: browsers start no worker from a file, so the search's script runs in a frame
// that is not shown, and messages go in and out of it as they would of a worker.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const script = new URL(address, location).href;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html><title>search</title>";
      this.inside = new Promise((resolve, reject) => {
        this.frame.onload = () => {
          const inside = this.frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          const loaded = inside.document.createElement("script");
          loaded.onload = () => resolve(inside);
          loaded.onerror = reject;
          loaded.src = script;
          inside.document.head.append(loaded);
        };
      });
      document.documentElement.append(this.frame);
    }

    postMessage(data) {
      this.inside.then((inside) => {
        inside.dispatchEvent(new inside.MessageEvent("message", { data }));
      });
    }

    terminate() {
      this.frame.remove();
    }
  };
}
