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

const sides = ['x', 'y', 'width', 'height'] as const
const apart = (one: Position, other: Position) => Math.max(...sides.map((side) => Math.abs(one[side] - other[side])))

function distinct(positions: readonly Position[]): Position[] {
  const found: Position[] = []
  for (const position of positions) {
    const last = found.at(-1)
    if (!last || apart(last, position) > 2) found.push(position)
  }
  return found
}

/** Records positions of the studio's stage and picture, also across page changes. */
export async function followPicture(page: Page): Promise<void> {
  await page.locator('.stage-frame').waitFor()
  await page.evaluate(() => {
    const { followed = {} } = window as unknown as { followed?: Record<string, Followed> }
    const begun = 'followed' in window
    Object.assign(window, { followed })
    followed[location.pathname] = { stages: [], pictures: [] }
    if (begun) return
    const positionOf = (selector: string): Position[] => {
      const box = document.querySelector(selector)?.getBoundingClientRect()
      return box ? [{ x: box.x, y: box.y, width: box.width, height: box.height }] : []
    }
    const look = () => {
      followed[location.pathname]?.stages.push(...positionOf('.studio-stage'))
      followed[location.pathname]?.pictures.push(...positionOf('.stage-frame'))
      requestAnimationFrame(look)
    }
    look()
  })
}

/**
 * Neither the stage nor the picture may move by more than two pixels; returns the picture's
 * position. `shapes`: expected positions of results cropped to other shapes; a short-lived one may
 * never be painted.
 */
export async function expectPictureStill(page: Page, { shapes = 1 } = {}): Promise<Position> {
  const { stages, pictures } = await page.evaluate(
    () => (window as unknown as { followed: Record<string, Followed> }).followed[location.pathname] as Followed,
  )
  expect(distinct(stages), 'positions of the stage').toHaveLength(1)
  const positions = distinct(pictures)
  expect(positions.length, `positions of the picture: ${JSON.stringify(positions)}`).toBeGreaterThan(0)
  expect(positions.length, `positions of the picture: ${JSON.stringify(positions)}`).toBeLessThanOrEqual(shapes)
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
