import { Plural, useLingui } from '@lingui/react/macro'
import { CircleCheck, Clock } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { GenerationView } from '../../contract.ts'
import { claimHours } from '../../rules.ts'

/** Few ask for it. */
const ClaimSheet = lazy(async () => ({ default: (await import('./claim-sheet.tsx')).ClaimSheet }))

function mayClaim({ status, credits, finishedAt }: GenerationView): boolean {
  if (status !== 'succeeded' || credits === 0 || finishedAt === null) return false
  return Date.now() - Date.parse(finishedAt) < claimHours * 3_600_000
}

/** "Not good": the way to get a result's credits back, and what became of it. */
export function Claim({ generation }: { generation: GenerationView }) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const { claim } = generation
  if (claim) {
    const Icon = claim.status === 'refunded' ? CircleCheck : Clock
    return (
      <p role="status" className="flex gap-2.5 rounded-field bg-soft px-3.5 py-2.5 text-on-soft text-sm leading-snug">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          {claim.status === 'refunded' && <Plural value={claim.refunded} other="# kredit sudah kembali ke saldomu." />}
          {claim.status === 'waiting' && t`Keluhanmu sedang kami periksa. Jawabannya muncul di sini.`}
          {claim.status === 'declined' && t`Keluhanmu sudah kami periksa. Kreditnya tidak dikembalikan.`}
        </span>
      </p>
    )
  }
  if (!mayClaim(generation)) return null
  return (
    <>
      <button type="button" className="btn btn-ghost justify-self-center px-3 text-sm" onClick={() => setAsking(true)}>
        {t`Hasilnya kurang bagus?`}
      </button>
      {asking && (
        <Suspense fallback={null}>
          <ClaimSheet generation={generation} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
