import { settled } from './violations.ts'

/** A small phone, a phone, one on its side and a desktop, in pixels. */
export const windowSizes = [
  [360, 640],
  [390, 844],
  [844, 390],
  [1440, 900],
] as const

/**
 * Changes the size of all text, in percent of the browser's own, and waits for the observers of
 * sizes.
 */
export async function setText(percent: number): Promise<void> {
  document.documentElement.style.setProperty('font-size', `${percent}%`)
  await settled()
}

/** Controls of the page that are too low for a finger. */
export function smallTargets(): string[] {
  const controls = document.querySelectorAll('main :is(button, summary, a.btn, label:has(input[type=radio]))')
  return [...controls].flatMap((element) => {
    const { height } = element.getBoundingClientRect()
    return height > 0 && height < 43.5 ? [`${element.textContent}: ${height} pixels high`] : []
  })
}

/** Words, of the headings in the page unless given, that go on in another line. */
export function brokenWords(selector = 'h1, h2, h3'): string[] {
  const texts = [...document.querySelectorAll(selector)].flatMap((element) =>
    [...element.childNodes].filter((node) => node instanceof Text),
  )
  return texts.flatMap((text) =>
    [...text.data.matchAll(/[\p{L}\d]+/gu)].flatMap(({ 0: word, index }) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 ? [word] : []
    }),
  )
}
