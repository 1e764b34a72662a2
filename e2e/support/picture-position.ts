import { expect, type Page } from '@playwright/test'

interface Position {
  x: number
  y: number
  width: number
  height: number
}

interface Followed {
  stages: Position[]
  pictures: Position[]
}

const isApart = (...pairs: [number, number][]) => pairs.some(([one, other]) => Math.abs(one - other) > 2)

function distinct(positions: readonly Position[], differ: (one: Position, other: Position) => boolean): Position[] {
  const found: Position[] = []
  for (const position of positions) {
    const last = found.at(-1)
    if (!last || differ(last, position)) found.push(position)
  }
  return found
}

/**
 * Records positions of the studio's stage and picture, also across page changes. It looks in the
 * frame after each change of the document, since looking in every frame would cost as much as the
 * app itself while the test waits for the server.
 */
export async function followPicture(page: Page): Promise<void> {
  await page.locator('.stage-frame').waitFor()
  await page.evaluate(() => {
    const { followed = {} } = window as unknown as { followed?: Record<string, Followed> }
    const begun = 'followed' in window
    Object.assign(window, { followed })
    followed[location.pathname] = { stages: [], pictures: [] }
    const positionOf = (selector: string): Position[] => {
      const box = document.querySelector(selector)?.getBoundingClientRect()
      return box ? [{ x: box.x, y: box.y, width: box.width, height: box.height }] : []
    }
    let waiting = false
    const look = () => {
      waiting = false
      followed[location.pathname]?.stages.push(...positionOf('.studio-stage'))
      followed[location.pathname]?.pictures.push(...positionOf('.stage-frame'))
    }
    look()
    if (begun) return
    const lookSoon = () => {
      if (!waiting) requestAnimationFrame(look)
      waiting = true
    }
    const all = { subtree: true, childList: true, attributes: true, characterData: true }
    new MutationObserver(lookSoon).observe(document, all)
    for (const event of ['load', 'scroll', 'resize', 'transitionend', 'animationend'])
      window.addEventListener(event, lookSoon, { capture: true, passive: true })
    document.fonts.addEventListener('loadingdone', lookSoon)
  })
}

/**
 * The stage keeps its corner and its width, and the picture its middle, by two pixels; the options
 * may take at most the lower half of the screen from them. Returns the picture's position.
 */
export async function expectPictureStill(page: Page): Promise<Position> {
  const { stages, pictures } = await page.evaluate(
    () => (window as unknown as { followed: Record<string, Followed> }).followed[location.pathname] as Followed,
  )
  const moved = distinct(stages, (a, b) => isApart([a.x, b.x], [a.y, b.y], [a.width, b.width]))
  expect(moved, 'positions of the stage').toHaveLength(1)
  const { height = 0 } = page.viewportSize() ?? {}
  expect(Math.min(...stages.map((stage) => stage.height))).toBeGreaterThan(0.4 * height)
  const middles = distinct(pictures, (a, b) => isApart([a.x + a.width / 2, b.x + b.width / 2]))
  expect(middles, 'positions of the picture').toHaveLength(1)
  return pictures.at(-1) as Position
}

/** Points with nothing but the stage on top. */
export function shareSeen(page: Page): Promise<number> {
  return page.evaluate(() => {
    const frame = document.querySelector('.stage-frame')?.getBoundingClientRect()
    const stage = document.querySelector('.studio-stage')
    if (!frame || !stage) return 0
    const steps = Array.from({ length: 20 }, (_, index) => (index + 0.5) / 20)
    const points = steps.flatMap((y) =>
      steps.map((x) => [frame.x + x * frame.width, frame.y + y * frame.height] as const),
    )
    const seen = points.filter(([x, y]) => {
      const top = document.elementFromPoint(x, y)
      return stage.contains(top) && !top?.closest('.viewer-tools')
    })
    return seen.length / points.length
  })
}
