import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '#client/format.ts'
import type { GenerationView } from '../../types.ts'

/** What the tool says about the result, as far as there are words for it. */
export function ResultFacts({ facts }: { facts: GenerationView['facts'] }) {
  const { t } = useLingui()
  const { seed, likeness, studioScene, scratches } = facts
  const percent = typeof likeness === 'number' ? formatNumber(Math.round(likeness * 100)) : null
  const sentences = [
    percent !== null && t`Kemiripan wajah ${percent}%`,
    (typeof seed === 'number' || typeof seed === 'string') && t`Benih ${String(seed)}`,
    studioScene === true && t`Latar studio`,
    scratches === true && t`Ada goresan yang bisa diperbaiki`,
  ].filter((sentence) => sentence !== false)
  if (sentences.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2 text-sm">
      {sentences.map((sentence) => (
        <li key={sentence} className="rounded-full bg-soft px-3 py-1 text-on-soft">
          {sentence}
        </li>
      ))}
    </ul>
  )
}
