import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** A page parses the minified file in half the time. */
const axe = readFileSync(join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

/** All rules, or the named ones. */
export async function violations(page: Page, ...rules: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(async (only) => {
    // Colours in transition have too little contrast.
    const moving = document.getAnimations().filter(({ playState, timeline, effect }) => {
      const endless = effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY
      // An animation that is not drawn, as below the window, gets to no end.
      const drawn = (effect as KeyframeEffect)?.target?.checkVisibility({ contentVisibilityAuto: true })
      return playState === 'running' && timeline === document.timeline && !endless && drawn
    })
    await Promise.allSettled(moving.map(({ finished }) => finished))
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
