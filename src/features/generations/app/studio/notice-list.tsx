import { TriangleAlert } from 'lucide-react'

const tones = {
  error: { box: 'bg-error/12', icon: 'text-error' },
  warning: { box: 'bg-warning/12', icon: 'text-warning' },
} as const

/** Sentences about what has to be mended, or should be known; nothing where there are none. */
export function NoticeList({ tone, sentences }: { tone: keyof typeof tones; sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <ul className={`grid gap-1 rounded-field px-3.5 py-2 text-sm leading-snug ${tones[tone].box}`}>
      {sentences.map((sentence) => (
        <li key={sentence} className="flex gap-2.5">
          <TriangleAlert aria-hidden className={`mt-0.5 size-4 shrink-0 ${tones[tone].icon}`} />
          {sentence}
        </li>
      ))}
    </ul>
  )
}
