import { expect, type Page } from '@playwright/test'

interface Place {
  x: number
  y: number
  width: number
  height: number
}

interface Followed {
  stages: Place[]
  pictures: Place[]
}

const sides = ['x', 'y', 'width', 'height'] as const
/** How far two places are from each other at any side, in pixels. */
const apart = (one: Place, other: Place) => Math.max(...sides.map((side) => Math.abs(one[side] - other[side])))

/** Places one after the other, without those that are within two pixels of the last. */
function distinct(places: readonly Place[]): Place[] {
  const found: Place[] = []
  for (const place of places) {
    const last = found.at(-1)
    if (!last || apart(last, place) > 2) found.push(place)
  }
  return found
}

/**
 * Collects every place that the stage of this page's studio and the picture on it have from now on,
 * whatever state the studio is in, also when somebody looks at another page in between.
 */
export async function followPicture(page: Page): Promise<void> {
  await page.locator('.stage-frame').waitFor()
  await page.evaluate(() => {
    const { followed = {} } = window as unknown as { followed?: Record<string, Followed> }
    const begun = 'followed' in window
    Object.assign(window, { followed })
    followed[location.pathname] = { stages: [], pictures: [] }
    if (begun) return
    const placeOf = (selector: string): Place[] => {
      const box = document.querySelector(selector)?.getBoundingClientRect()
      return box ? [{ x: box.x, y: box.y, width: box.width, height: box.height }] : []
    }
    const look = () => {
      followed[location.pathname]?.stages.push(...placeOf('.studio-stage'))
      followed[location.pathname]?.pictures.push(...placeOf('.stage-frame'))
      requestAnimationFrame(look)
    }
    look()
  })
}

/**
 * Neither the stage nor the picture has moved by more than two pixels since they are followed;
 * returns where the picture lies. A result that is cut to another shape takes another place on the
 * same stage: `shapes` is how many may be shown one after the other. One that is soon replaced may
 * not be painted at all.
 */
export async function expectPictureStill(page: Page, { shapes = 1 } = {}): Promise<Place> {
  const { stages, pictures } = await page.evaluate(
    () => (window as unknown as { followed: Record<string, Followed> }).followed[location.pathname] as Followed,
  )
  expect(distinct(stages), 'places of the stage').toHaveLength(1)
  const places = distinct(pictures)
  expect(places.length, `places of the picture: ${JSON.stringify(places)}`).toBeGreaterThan(0)
  expect(places.length, `places of the picture: ${JSON.stringify(places)}`).toBeLessThanOrEqual(shapes)
  return pictures.at(-1) as Place
}

/**
 * How much of the picture can be seen: the share of points on it with nothing but the stage on top.
 */
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
