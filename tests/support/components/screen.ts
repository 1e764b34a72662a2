import { expect, vi } from 'vitest'
import { cdp, type Locator, page, userEvent } from 'vitest/browser'

type Name = string | RegExp

export const button = (name: Name) => page.getByRole('button', { name })
export const heading = page.getByRole('heading', { level: 1 })

/** The field for files of the current page; the one for the camera is another. */
export function fileField(): HTMLInputElement {
  const field = document.querySelector<HTMLInputElement>('main input[type="file"]:not([capture])')
  if (!field) throw new Error('there is no field for files')
  return field
}

/**
 * Chooses files, and waits until the page shows or refuses them: a tool's page before has the same
 * options on wide screens, which would be filled in vain.
 */
export async function choose(...files: File[]): Promise<void> {
  await userEvent.upload(fileField(), files)
  await expect.poll(() => document.querySelector('.studio-layout, main [role=alert]')).not.toBeNull()
}

/** Presses a button that opens the chooser, and chooses the files there. */
export async function replaceBy(target: Locator, ...files: File[]): Promise<void> {
  const opened: HTMLInputElement[] = []
  const note = ({ target: clicked }: Event) => {
    if (clicked instanceof HTMLInputElement && clicked.type === 'file') opened.push(clicked)
  }
  document.addEventListener('click', note)
  await target.click()
  document.removeEventListener('click', note)
  if (!opened[0]) throw new Error('no chooser was opened')
  await userEvent.upload(opened[0], files)
}

/** Names of the files that the page saves from here on. */
export function savedFiles(): string[] {
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  return names
}

/** Presses Tab, or Shift and Tab, until the element has the focus. */
export async function tabTo(target: Locator, { back = false } = {}): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (target.query() === document.activeElement) return
    await userEvent.tab({ shift: back })
  }
  throw new Error('the keyboard does not get there')
}

/** Drags a finger over an element, between points in shares of its size. */
export async function drag(element: Element, from: [number, number], to: [number, number], steps = 6): Promise<void> {
  const outer = window.frameElement?.getBoundingClientRect() ?? { x: 0, y: 0, width: innerWidth }
  const scale = outer.width / innerWidth
  const { x, y, width, height } = element.getBoundingClientRect()
  const at = (share: number) => ({
    x: outer.x + scale * (x + width * (from[0] + share * (to[0] - from[0]))),
    y: outer.y + scale * (y + height * (from[1] + share * (to[1] - from[1]))),
  })
  const session = cdp()
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [at(0)])
  for (let step = 1; step <= steps; step++) await touch('touchMove', [at(step / steps)])
  await touch('touchEnd', [])
}
