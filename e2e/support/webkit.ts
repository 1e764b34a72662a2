import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Builder, By, until, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePort } from '#tests/support/server-process.ts'

const programs = { driver: '/usr/bin/WebKitWebDriver', display: '/usr/bin/Xvfb' }
const browsers = ['4.1', '4.0', '6.0'].flatMap((version) =>
  ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-${version}/MiniBrowser`),
)
const browser = browsers.find((path) => existsSync(path))

export const hasWebKit =
  browser !== undefined &&
  existsSync(programs.driver) &&
  (process.env.DISPLAY !== undefined || existsSync(programs.display))

const patience = 40_000

const buttonWith = (text: string) => By.xpath(`//button[contains(normalize-space(.), '${text}')]`)

/** WebKitGTK driven like a user: reading, pressing and typing. */
export class WebKit {
  readonly driver: WebDriver
  readonly #children: ChildProcess[]

  private constructor(driver: WebDriver, children: ChildProcess[]) {
    this.driver = driver
    this.#children = children
  }

  static async start(): Promise<WebKit> {
    const children: ChildProcess[] = []
    const port = await freePort()
    let display = process.env.DISPLAY
    if (!display) {
      display = `:${port}`
      children.push(spawn(programs.display, [display, '-screen', '0', '500x900x24'], { stdio: 'ignore' }))
    }
    const env = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' }
    children.push(spawn(programs.driver, [`--port=${port}`], { env, stdio: 'ignore' }))
    const capabilities = {
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
    }
    for (let attempt = 0; ; attempt++) {
      try {
        const builder = new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities)
        return new WebKit(await builder.build(), children)
      } catch (error) {
        // Driver and display need a moment.
        if (attempt === 40) throw error
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }

  async open(address: string): Promise<void> {
    await this.driver.get(address)
    const living = () => this.driver.executeScript<boolean>('return !document.querySelector("[data-prerendered]")')
    await this.driver.wait(living, patience, `${address} does not start`)
  }

  async find(css: string): Promise<WebElement> {
    const found = await this.driver.wait(until.elementLocated(By.css(css)), patience, `no ${css}`)
    return await this.driver.wait(until.elementIsVisible(found), patience, `${css} is hidden`)
  }

  async sees(text: string): Promise<void> {
    const shows = () =>
      this.driver.executeScript<boolean>('return document.body.innerText.includes(arguments[0])', text)
    await this.driver.wait(shows, patience, `“${text}” is not shown`)
  }

  async press(text: string): Promise<void> {
    await this.driver.wait(() => this.#pressOnce(text), patience, `no button ${text} can be pressed`)
  }

  /** A press may miss a moving button, so this repeats. */
  async pressAway(text: string): Promise<void> {
    const shown = 'return document.querySelector("main")?.innerText.trim() ?? ""'
    const isGone = async () =>
      (await this.driver.executeScript(shown)) !== '' && (await this.driver.findElements(buttonWith(text))).length === 0
    await this.press(text)
    for (let attempt = 0; attempt < 10; attempt++) {
      const gone = await this.driver.wait(isGone, 5000).catch(() => false)
      if (gone) return
      await this.#pressOnce(text)
    }
    throw new Error(`${text} does nothing`)
  }

  async #pressOnce(text: string): Promise<boolean> {
    try {
      const found = await this.driver.findElement(buttonWith(text))
      if (!(await found.isEnabled())) return false
      await found.click()
      return true
    } catch {
      return false
    }
  }

  async close(): Promise<void> {
    await this.driver.quit().catch(() => undefined)
    for (const child of this.#children) child.kill()
  }
}
