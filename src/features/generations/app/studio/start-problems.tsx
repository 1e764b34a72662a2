import { useLingui } from '@lingui/react/macro'
import { ScanFace } from 'lucide-react'
import { store } from '#client/session.ts'
import { ensureToolConsent } from '#features/account/app/account.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { restoreFocusTo } from '#ui/restore-focus.ts'
import { askedInputs, generationInfo, generationParams, generationsOf } from './inputs.ts'
import { stateOfGeneration } from './stage-of.ts'
import { NoticeList } from './status-card.tsx'
import { sheetHeightAtom } from './studio-layout.tsx'
import { type GenerationRecovery, hasPictures, type StudioState } from './studio-state.ts'
import type { PhotoCheck } from './use-photo-check.ts'

/**
 * Problems from the contract and the free check. A missing step is visible on the stage, and only
 * mentioned when starting without it. `current` lacks those that are being checked again.
 */
export function useStartProblems(
  page: AnyToolPage,
  state: StudioState,
  check: PhotoCheck,
): Record<'sentences' | 'current', string[]> {
  const { t, i18n } = useLingui()
  const { definition, labels } = page
  if (!hasPictures(state)) return { sentences: [], current: [] }
  const { found, refusal } = check
  const sentences = new Map<string, string>(refusal ? [['refusal', refusal]] : [])
  // Evaluates the contract again, since the check may refer to earlier options.
  const several = askedInputs(page).length > 1
  // Drawn on the stage, not uploaded.
  const isDrawn = (path: string) => definition.inputs[path]?.kind === 'plane'
  for (const { path, code, msg } of found?.problems ?? []) {
    if (labels.problems?.[code] || (code === 'upload.missing' && isDrawn(path))) continue
    const input = several ? definition.inputs[path] : undefined
    sentences.set(`${path} ${code}`, input ? `${i18n._(input.label)}: ${msg}` : msg)
  }
  const rechecked = check.rechecking ? sentences.size : 0
  const generations = generationsOf(definition, state.inputs)
  for (const inputs of generations) {
    const generation = stateOfGeneration(page, state, inputs)
    // Only the visible picture of several was checked.
    const known = generations.length === 1 ? found : null
    const params = generationParams(page, generation, known)
    const asked = page.stage?.missing?.(generation.stage, known)?.id
    const isAsked = (code: string) => asked !== undefined && labels.problems?.[code]?.id === asked
    for (const { code } of definition.problems?.(params, generationInfo(definition, inputs, state, known)) ?? []) {
      const sentence = labels.problems?.[code]
      if (sentence && !sentences.has(code) && !isAsked(code)) sentences.set(code, i18n._(sentence))
    }
  }
  // Most texts of the server end with it: once is enough.
  const free = ` ${t`Tidak ada kredit yang terpakai.`}`
  const all = [...sentences.values()]
  const last = all.findLastIndex((sentence) => sentence.endsWith(free))
  const told = all.map((sentence, index) =>
    index < last && sentence.endsWith(free) ? sentence.slice(0, -free.length) : sentence,
  )
  return { sentences: told, current: told.slice(rechecked) }
}

const problemsId = 'start-problems'

export function showStartProblems(): void {
  // A sheet that was dragged up hides the notes on the stage.
  store.set(sheetHeightAtom, null)
  document.getElementById(problemsId)?.scrollIntoView({ block: 'nearest' })
}

export function StartProblems({
  page,
  sentences,
  check: { found, current, rechecking, needsConsent, busy, recheck },
  onHelp,
}: {
  page: AnyToolPage
  sentences: readonly string[]
  check: PhotoCheck
  onHelp: ((help: GenerationRecovery) => void) | undefined
}) {
  const { t, i18n } = useLingui()
  const [help] = current ? (found?.problems ?? []).flatMap(({ code }) => page.recovery?.[code] ?? []) : []
  return (
    <>
      <div id={problemsId} role="status" className="grid scroll-my-2 gap-1.5 empty:hidden">
        {sentences.length > 0 && (
          // Both are always there: another sentence would unfold the notes.
          <div className="grid grid-cols-1">
            <p
              hidden={!rechecking}
              className="flex items-center gap-2.5 rounded-field bg-base-100 px-3.5 py-2 text-sm leading-snug"
            >
              <span className="loading loading-sm" aria-hidden />
              {t`Diperiksa lagi dengan pilihan barumu…`}
            </p>
            <div hidden={rechecking}>
              <NoticeList tone="error" sentences={sentences} />
            </div>
          </div>
        )}
        <NoticeList tone="warning" sentences={found?.warnings.map(({ msg }) => msg) ?? []} />
        {busy === 'checking' && (
          <NoticeList
            tone="warning"
            sentences={[t`Server sedang sibuk. Fotomu masih diperiksa, tunggu sebentar, ya.`]}
          />
        )}
        {busy === 'unchecked' && (
          <NoticeList
            tone="warning"
            sentences={[t`Server sedang sibuk, jadi fotomu belum diperiksa. Kamu tetap bisa mulai.`]}
          />
        )}
      </div>
      {busy === 'unchecked' && (
        <Button variant="soft" onClick={recheck}>
          {t`Periksa lagi`}
        </Button>
      )}
      {help && onHelp && (
        <Button
          variant="soft"
          onClick={() => onHelp({ ...help, stage: help.stage && ((now) => help.stage?.(now, found?.facts)) })}
        >
          {i18n._((found && help.labelFor?.(found.facts)) ?? help.label)}
        </Button>
      )}
      {needsConsent && (
        <button
          ref={restoreFocusTo()}
          type="button"
          className="btn btn-soft btn-primary justify-start gap-2.5"
          onClick={() => void ensureToolConsent(page.definition)}
        >
          <ScanFace aria-hidden className="size-5" />
          {t`Lihat posisi kepala · gratis`}
        </button>
      )}
    </>
  )
}
