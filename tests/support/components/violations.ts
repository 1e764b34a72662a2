import axe from 'axe-core'

/** Violations that axe finds on the page; colours in transition would have too little contrast. */
export async function violations(): Promise<string[]> {
  const moving = document
    .getAnimations()
    .filter(
      ({ playState, timeline, effect }) =>
        playState === 'running' &&
        timeline === document.timeline &&
        effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
    )
  await Promise.allSettled(moving.map(({ finished }) => finished))
  const { violations: found } = await axe.run(document, { resultTypes: ['violations'], preload: false })
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`))
}
