import { listedPages } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { askedInputs, mainInput, maxFiles } from '../studio/inputs.ts'

export type SharedKind = 'picture' | 'video'

/** Phones share some files without a type. */
export const kindOf = ({ type, name }: Pick<File, 'type' | 'name'>): SharedKind =>
  type.startsWith('video/') || (type === '' && /\.(mp4|m4v|mov|webm)$/i.test(name)) ? 'video' : 'picture'

export const maxFilesOfKind = (page: AnyToolPage, kind: SharedKind): number =>
  askedInputs(page)
    .filter(([, input]) => input.kind === kind)
    .reduce((sum, [name]) => sum + maxFiles(page.definition, name), 0)

const least = ({ definition }: AnyToolPage) => definition.inputs[mainInput(definition)]?.min ?? 1

/**
 * Tools used last come first, then those that take all files, combining tools before batch tools.
 */
export function fittingTools(kind: SharedKind, count: number, used: readonly string[]): AnyToolPage[] {
  const several = count > 1 && kind === 'picture'
  const rank = (page: AnyToolPage) => {
    const at = used.indexOf(page.definition.id)
    return [at < 0 ? used.length : at, maxFilesOfKind(page, kind) < count ? 1 : 0, least(page) > 1 ? 0 : 1]
  }
  return listedPages
    .filter((page) => maxFilesOfKind(page, kind) >= (several ? 2 : 1) && (several || least(page) === 1))
    .map((page) => ({ page, rank: rank(page) }))
    .sort((a, b) => a.rank.map((part, i) => part - (b.rank[i] ?? 0)).find((difference) => difference !== 0) ?? 0)
    .map(({ page }) => page)
}
