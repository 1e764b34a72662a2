import axe from 'axe-core'

const running = () =>
  document
    .getAnimations()
    .filter(
      ({ playState, timeline, effect }) =>
        playState === 'running' &&
        timeline === document.timeline &&
        effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
    )

/** Waits until the page rests: colours in transition have too little contrast. */
export async function settled(): Promise<void> {
  for (let still = 0; still < 3; still++) {
    const moving = running()
    if (moving.length > 0 || document.querySelector('main .skeleton')) still = 0
    await Promise.allSettled(moving.map(({ finished }) => finished))
    await new Promise(requestAnimationFrame)
  }
}

/** Violations that axe finds on the page once it rests. */
export async function violations(): Promise<string[]> {
  await settled()
  const { violations: found } = await axe.run(document, { resultTypes: ['violations'], preload: false })
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`))
}
