// The tests' own Stripe.js: as much of it as the shop's pages use, with the same order of calls demanded.
// Like the real one it puts a field into a frame from js.stripe.com, and speaks to api.stripe.com, so that
// the policy of the page is tried as well.
(() => {
  const FRAME = "https://js.stripe.com/endive/fields.html";
  const ASKS = "https://hooks.stripe.com/asks.html";
  const WORDS = {
    en: { number: "Card number", wrong: "Your card number is incomplete." },
    de: { number: "Kartennummer", wrong: "Die Kartennummer ist unvollständig." },
    ar: { number: "رقم البطاقة", wrong: "رقم بطاقتك غير مكتمل." },
  };
  const told = (window.stripeTold = { mounted: [], updated: [], tokens: [] });

  function framed(src, title) {
    const frame = document.createElement("iframe");
    frame.src = src;
    frame.title = title;
    // One by one: the page's policy lets no style attribute count.
    frame.style.setProperty("inline-size", "100%");
    frame.style.setProperty("block-size", "120px");
    frame.style.setProperty("border", "0");
    return frame;
  }

  async function call(path, form) {
    const answer = await fetch(`https://api.stripe.com/v1/${path}`, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    return answer.json();
  }

  function checkLook({ amount, currency, appearance }) {
    if (!Number.isInteger(amount) || amount < 1) throw new Error(`IntegrationError: ${amount}`);
    if (!/^[a-z]{3}$/.test(currency)) throw new Error(`IntegrationError: ${currency}`);
    for (const [name, value] of Object.entries(appearance.variables))
      if (value === "") throw new Error(`IntegrationError: ${name} is empty`);
  }

  class Fields {
    constructor(elements) {
      this.elements = elements;
      this.heard = {};
      this.number = "";
    }
    on(name, handler) {
      this.heard[name] = handler;
      return this;
    }
    mount(box) {
      const { options, key } = this.elements;
      told.mounted.push({ key, locale: options.locale, amount: options.amount });
      this.frame = framed(FRAME, "Secure payment input frame");
      this.onMessage = ({ source, data }) => {
        if (source !== this.frame.contentWindow) return;
        if ("number" in data) this.number = data.number;
        if (data.refused) this.heard.loaderror?.({ elementType: "payment", error: data.refused });
        if (data.isReady) {
          this.show();
          this.heard.ready?.({ elementType: "payment" });
        }
      };
      window.addEventListener("message", this.onMessage);
      box.append(this.frame);
    }
    say(what) {
      this.frame.contentWindow.postMessage(what, "https://js.stripe.com");
    }
    show() {
      const { appearance, locale } = this.elements.options;
      const language = locale.split("-")[0];
      const label = WORDS[language].number;
      this.say({ label, language, variables: appearance.variables });
    }
    focus() {
      this.say({ focus: true });
    }
    destroy() {
      window.removeEventListener("message", this.onMessage);
      this.frame.remove();
      this.frame = null;
    }
  }

  class Elements {
    constructor(key, options) {
      const { mode, captureMethod } = options;
      if (mode !== "payment" || captureMethod !== "manual") throw new Error("IntegrationError");
      checkLook(options);
      this.key = key;
      this.options = options;
    }
    create(kind) {
      if (kind !== "payment") throw new Error(`IntegrationError: ${kind}`);
      this.fields = new Fields(this);
      return this.fields;
    }
    async update(options) {
      checkLook({ ...this.options, ...options });
      this.options = { ...this.options, ...options };
      told.updated.push({ amount: this.options.amount });
      if (this.fields.frame?.contentWindow) this.fields.show();
    }
    async submit() {
      const { number } = this.fields;
      this.isSubmitted = /^\d{16}$/.test(number);
      const { wrong } = WORDS[this.options.locale.split("-")[0]];
      this.fields.say({ wrong: this.isSubmitted ? "" : wrong });
      if (this.isSubmitted) return { selectedPaymentMethod: "card" };
      return { error: { type: "validation_error", code: "incomplete_number", message: wrong } };
    }
  }

  function asks(frame) {
    return new Promise((done) => {
      const onMessage = ({ source, data }) => {
        if (source !== frame.contentWindow || !("approve" in data)) return;
        window.removeEventListener("message", onMessage);
        done(data.approve);
      };
      window.addEventListener("message", onMessage);
    });
  }

  function Stripe(key) {
    return {
      elements: (options) => new Elements(key, options),
      createConfirmationToken: async ({ elements, params }) => {
        if (!elements.isSubmitted) throw new Error("IntegrationError: submit() comes first");
        elements.isSubmitted = false;
        const { email = "", name = "" } = params.payment_method_data?.billing_details ?? {};
        const { number } = elements.fields;
        const form = { key, number, email, name, return_url: params.return_url };
        const made = await call("confirmation_tokens", form);
        told.tokens.push(made.id ?? null);
        return made.error === undefined ? { confirmationToken: made } : made;
      },
      handleNextAction: async ({ clientSecret }) => {
        const dialog = document.createElement("div");
        const frame = framed(ASKS, "3D Secure");
        dialog.append(frame);
        document.body.append(dialog);
        const approve = await asks(frame);
        const answer = await call("decide", { key, client_secret: clientSecret, approve });
        dialog.remove();
        return answer;
      },
    };
  }
  Stripe.version = "endive";
  window.Stripe = Stripe;
})();
