import { toolPages } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { mainInput } from '../studio/inputs.ts'

/** The other tools that begin with a picture. */
export function otherToolsFor(id: string): AnyToolPage[] {
  return Object.values(toolPages).filter(
    ({ facts }) => facts.id !== id && facts.inputs[mainInput(facts)]?.kind === 'picture',
  )
}
