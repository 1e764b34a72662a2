import { useLingui } from '@lingui/react/macro'
import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { formatAge } from '#client/format.ts'
import { lastUserId, store } from '#client/session.ts'
import { localKeys, readStoredJson } from '#client/storage.ts'
import { dayMs } from '#shared/time.ts'
import { publicToolEntries } from '#tools/tool-list.ts'
import { Button } from '#ui/button.tsx'
import {
  deliveriesAtom,
  draftLock,
  dropDraft,
  isUnsentHere,
  markUnsent,
  takeDraft,
  type UnsentDraft,
  unmarkUnsent,
  unsentDraftKey,
} from '../draft.ts'

const offerMs = 7 * dayMs

/** Time of the tool's pictures that a closed or killed tab has left on the device, else null. */
export async function findUnsentDraft(tool: string): Promise<number | null> {
  const draft = readStoredJson<UnsentDraft>(localKeys.unsentDraft + tool)
  const mine = draft && (draft.owner === null || draft.owner === lastUserId())
  if (!mine || draft.at < Date.now() - offerMs || isUnsentHere(tool)) return null
  const { held = [] } = (await navigator.locks?.query().catch(() => undefined)) ?? {}
  if (held.some(({ name }) => name === draftLock(tool))) return null
  return (await takeDraft(unsentDraftKey(tool), true)) ? draft.at : null
}

interface Offer {
  tool: string
  at: number
}

/** The newest pictures that a closed or killed tab has left; of one tool, or of any. */
function useOffer(tool?: string): [Offer | null, (offer: null) => void] {
  const [offer, setOffer] = useState<Offer | null>(null)
  useEffect(() => {
    let mounted = true
    const ids = tool === undefined ? publicToolEntries.map(({ id }) => id) : [tool]
    void Promise.all(ids.map(async (id) => ({ tool: id, at: await findUnsentDraft(id) }))).then((found) => {
      const offers = found.filter((one): one is Offer => one.at !== null).sort((a, b) => b.at - a.at)
      if (mounted) setOffer(offers[0] ?? null)
    })
    return () => {
      mounted = false
    }
  }, [tool])
  return [offer, setOffer]
}

/** Offers pictures, options and marks of an app that was closed or killed before they were sent. */
export function ContinueOffer({ tool }: { tool?: string }) {
  const { t, i18n } = useLingui()
  const [, navigate] = useLocation()
  const [offer, setOffer] = useOffer(tool)
  const entry = publicToolEntries.find(({ id }) => id === offer?.tool)
  if (!offer || !entry) return null
  const name = i18n._(entry.name)
  const age = formatAge(offer.at, Date.now())
  return (
    <section
      aria-label={t`Lanjutkan dengan fotomu?`}
      className="alert mb-4 flex flex-wrap items-center gap-3 border-primary/40 bg-soft text-base text-on-soft"
    >
      <RotateCcw aria-hidden className="size-6 shrink-0" />
      <div className="wrap-anywhere min-w-0 flex-1 basis-48">
        <p className="font-bold">{t`Lanjutkan dengan fotomu?`}</p>
        <p className="text-sm">{t`${name}, ${age}. Foto, pilihan, dan tandanya masih ada.`}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => {
            // The tool's page takes its draft as after a reload.
            markUnsent(offer.tool)
            setOffer(null)
            if (tool === undefined) navigate(entry.route)
            else store.set(deliveriesAtom, (count) => count + 1)
          }}
        >
          {t`Lanjutkan`}
        </Button>
        <Button
          variant="ghost"
          onClick={() => {
            unmarkUnsent(offer.tool)
            setOffer(null)
            void dropDraft(unsentDraftKey(offer.tool))
          }}
        >
          {t`Buang`}
        </Button>
      </div>
    </section>
  )
}
