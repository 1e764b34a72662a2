import axe from 'axe-core'
import { expect } from 'vitest'

/** Moving to an end. Without being drawn, as below the window, an animation gets to none. */
const isMoving = ({ playState, timeline, effect }: Animation) =>
  playState === 'running' &&
  timeline === document.timeline &&
  effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY &&
  (effect as KeyframeEffect).target?.checkVisibility({ contentVisibilityAuto: true }) === true

const moving = () => [...document.getAnimations().filter(isMoving), ...document.querySelectorAll('main .skeleton')]

/** Waits until the page rests: colours in transition have too little contrast. */
export async function settled(): Promise<void> {
  for (let still = 0; still < 3; still++) {
    if (moving().length > 0) {
      await expect.poll(moving).toEqual([])
      still = 0
    }
    await new Promise(requestAnimationFrame)
  }
}

/** Violations that axe finds on the page once it rests. */
export async function violations(): Promise<string[]> {
  await settled()
  const { violations: found } = await axe.run(document, { resultTypes: ['violations'], preload: false })
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`))
}
