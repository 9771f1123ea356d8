// A page of puppeteer's under Playwright's names, as far as the tests use them.

export class FirefoxPage {
    constructor(page) {
        this.inner = page;
        // Playwright's mouse may leave the window; this one stops at its edge.
        const inside = (x, most) => Math.max(0, Math.min(x, most - 1));
        const move = (x, y) => {
            const { width, height } = this.viewportSize();
            return page.mouse.move(inside(x, width), inside(y, height));
        };
        this.mouse = {
            move,
            down: () => page.mouse.down(),
            up: () => page.mouse.up(),
            click: (x, y, options) => page.mouse.click(x, y, options),
            dblclick: (x, y) => page.mouse.click(x, y, { count: 2 }),
            wheel: (deltaX, deltaY) => page.mouse.wheel({ deltaX, deltaY }),
        };
        this.keyboard = {
            press: (combination) => this.#press(combination),
            type: (text) => page.keyboard.type(text),
            // At once and without keys.
            insertText: (text) => page.evaluate((all) => document.execCommand("insertText", false, all), text),
        };
        this.touchscreen = { tap: (x, y) => page.touchscreen.tap(x, y) };
    }

    // "Control+Shift+Z": held in this order.
    async #press(combination) {
        const held = combination.split(/\+(?=.)/);
        let key = held.pop();
        if (held.length > 0 && !held.includes("Shift") && key.length === 1) key = key.toLowerCase();
        for (const modifier of held) await this.inner.keyboard.down(modifier);
        await this.inner.keyboard.press(key);
        for (const modifier of held.reverse()) await this.inner.keyboard.up(modifier);
    }

    evaluate(run, argument) {
        return this.inner.evaluate(run, argument);
    }
    addInitScript(run) {
        return this.inner.evaluateOnNewDocument(run);
    }
    waitForFunction(run, argument) {
        return this.inner.waitForFunction(run, { polling: 20 }, argument);
    }
    waitForTimeout(milliseconds) {
        return new Promise((done) => setTimeout(done, milliseconds));
    }
    locator(selector, { hasText = "" } = {}) {
        return new Locator(this, selector, hasText);
    }

    goto(url) {
        return this.inner.goto(url);
    }
    goBack() {
        return this.inner.goBack();
    }
    goForward() {
        return this.inner.goForward();
    }
    reload() {
        return this.inner.reload();
    }
    title() {
        return this.inner.title();
    }
    url() {
        return this.inner.url();
    }
    getAttribute(selector, name) {
        return this.inner.$eval(selector, (element, wanted) => element.getAttribute(wanted), name);
    }

    viewportSize() {
        const { width, height } = this.inner.viewport();
        return { width, height };
    }
    setDefaultTimeout(milliseconds) {
        this.inner.setDefaultTimeout(milliseconds);
    }
    setViewportSize({ width, height }) {
        return this.inner.setViewport({ ...this.inner.viewport(), width, height });
    }
    on(event, listener) {
        this.inner.on(event, listener);
    }
    async screenshot(options) {
        return Buffer.from(await this.inner.screenshot(options));
    }
}

// Of the elements that the selector names, the first one with this text.
class Locator {
    constructor(page, selector, hasText) {
        this.page = page;
        this.wanted = [selector, hasText];
    }

    async #ask(run) {
        await this.waitFor({ state: "attached" });
        const handle = await this.page.inner.evaluateHandle(
            ([selector, text]) =>
                [...document.querySelectorAll(selector)].find((each) => each.textContent.includes(text)) ?? null,
            this.wanted,
        );
        try {
            return await handle.evaluate(run);
        } finally {
            await handle.dispose();
        }
    }

    waitFor({ state = "visible" } = {}) {
        return this.page.waitForFunction(
            ([selector, text, awaited]) => {
                const found = [...document.querySelectorAll(selector)].find((each) => each.textContent.includes(text));
                const visible = found?.checkVisibility({ visibilityProperty: true }) ?? false;
                const attached = found !== undefined;
                return { attached, detached: !attached, visible, hidden: !visible }[awaited];
            },
            [...this.wanted, state],
        );
    }
    first() {
        return this;
    }
    evaluate(run) {
        return this.#ask(run);
    }
    count() {
        return this.page.evaluate((selector) => document.querySelectorAll(selector).length, this.wanted[0]);
    }
    textContent() {
        return this.#ask((element) => element.textContent);
    }
    inputValue() {
        return this.#ask((element) => element.value);
    }
    isVisible() {
        return this.#ask((element) => element.checkVisibility({ visibilityProperty: true }));
    }
    boundingBox() {
        return this.#ask((element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return { x, y, width, height };
        });
    }
    async click() {
        await this.waitFor();
        const { x, y, width, height } = await this.boundingBox();
        await this.page.mouse.click(x + width / 2, y + height / 2);
    }
}
