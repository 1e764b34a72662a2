import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** A page parses the minified file in half the time. */
const axe = readFileSync(join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

/** Waits until the page rests: colours in transition have too little contrast. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // Scroll-driven animations move only with scrolling, and others reach an end only where drawn.
    const moves = ({ playState, effect, timeline }: Animation) =>
      playState === 'running' &&
      timeline === document.timeline &&
      effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY &&
      (effect as KeyframeEffect).target?.checkVisibility({ contentVisibilityAuto: true })
    return !document.getAnimations().some(moves)
  })
}

/** All rules, or the named ones. */
export async function violations(page: Page, ...rules: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  await atRest(page)
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const found = await axe.run(document, {
      resultTypes: ['violations'],
      // Only experimental rules read the style sheets.
      preload: false,
      ...(only.length > 0 && { runOnly: { type: 'rule' as const, values: only } }),
    })
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`))
  }, rules)
}
