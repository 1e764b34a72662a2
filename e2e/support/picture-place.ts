import { expect, type Page } from '@playwright/test'

interface Place {
  x: number
  y: number
  width: number
  height: number
}

/** Collects every place that the studio's picture has from now on, whatever state the studio is in. */
export async function followPicture(page: Page): Promise<void> {
  await page.evaluate(() => {
    const places: Place[] = []
    Object.assign(window, { places })
    const look = () => {
      const frame = document.querySelector('.stage-frame')?.getBoundingClientRect()
      if (frame) places.push({ x: frame.x, y: frame.y, width: frame.width, height: frame.height })
      requestAnimationFrame(look)
    }
    look()
  })
}

/** The picture has not moved by more than two pixels since it is followed; returns where it lay first. */
export async function expectPictureStill(page: Page): Promise<Place> {
  const places = await page.evaluate(() => (window as unknown as { places: Place[] }).places)
  expect(places.length).toBeGreaterThan(20)
  const first = places[0] as Place
  for (const side of ['x', 'y', 'width', 'height'] as const) {
    const moved = Math.max(...places.map((place) => Math.abs(place[side] - first[side])))
    expect(moved, `${side} moved by ${moved}`).toBeLessThanOrEqual(2)
  }
  return first
}

/** How much of the picture can be seen: the share of points on it with nothing but the stage on top. */
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
