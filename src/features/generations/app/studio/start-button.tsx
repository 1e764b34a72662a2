import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { ImageUp } from 'lucide-react'
import { onlineAtom } from '#client/connection.ts'
import { serverNow } from '#client/device/server-time.ts'
import { formatNumber } from '#client/format.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { balanceQuery } from '#features/credits/app/credits.tsx'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { showRequiredChoice } from '#tools/ui/required-choice.ts'
import { useTool } from '#tools/ui/tools-query.ts'
import { Button } from '#ui/button.tsx'
import { CreditCount } from '#ui/credit-count.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { WelcomeOffer } from '#ui/welcome-offer.tsx'
import {
  generationInfo,
  generationParams,
  generationsOf,
  mainInput,
  missingInput,
  picturesOf,
  takesVideo,
} from './inputs.ts'
import { useResumePending } from './pending-generation.ts'
import { stateOfGeneration } from './stage-of.ts'
import { showStartProblems } from './start-problems.tsx'
import { ToolOff } from './status-card.tsx'
import { hasPictures, type StudioState } from './studio-state.ts'
import { type PhotoCheck, useStartAfterCheck } from './use-photo-check.ts'
import { optionsOf } from './visitor-preview.ts'

/** Prices of the free check where known. */
export function usePrices(page: AnyToolPage, state: StudioState, check: PhotoCheck | null) {
  const { definition } = page
  const tool = useTool(definition.id)
  const unit = tool?.credits ?? definition.defaultUnitPrice
  const found = check?.found ?? null
  const generations = hasPictures(state) ? generationsOf(definition, state.inputs) : [state.inputs]
  const single = generations.length === 1
  const each =
    found && check?.current && single
      ? [found.credits]
      : generations.map((generation) => {
          const own = stateOfGeneration(page, state, generation)
          return definition.price(
            unit,
            generationParams(page, own, single ? found : null),
            generationInfo(definition, generation, state, found),
          )
        })
  return {
    each,
    total: each.reduce((sum, price) => sum + price, 0),
    enabled: tool?.enabled ?? true,
    message: tool?.message ?? null,
    known: tool !== undefined,
  }
}

export interface StartActions {
  busy: boolean
  /**
   * `download`: the button promised the result as a file. `count`: only the first generations of a
   * batch.
   */
  start: (price: number, check: PhotoCheckView | null, download: boolean, count?: number) => void
  /** For visitors and samples; null for a paid generation. */
  preview: (() => void) | null
  /** `price`: credits of the generation that starts afterwards. */
  signUp: (price: number) => void
  /** `missing`: credits. The start stays with the user, who pressed another button. */
  topUp: (missing: number) => void
  change: (input?: string) => void
}

/** Only another photo helps, except with several faces, where another one can be chosen. */
function inputToReplace({ definition }: AnyToolPage, { inputs }: StudioState, { found, refusal }: PhotoCheck) {
  const alone = Object.keys(definition.inputs).length === 1
  if (alone && refusal !== null) return mainInput(definition)
  const path = found?.problems.find(({ path }) => path in definition.inputs)?.path
  if (!found || path === undefined || (!alone && inputs[path]?.length !== 1)) return null
  return found.faces.filter(({ input }) => input === path).length < 2 ? path : null
}

function firstIncompleteGeneration(page: AnyToolPage, state: StudioState, found: PhotoCheckView | null) {
  for (const generation of generationsOf(page.definition, state.inputs)) {
    const incomplete = page.stage?.missing?.(stateOfGeneration(page, state, generation).stage, found)
    if (incomplete) return [generation, incomplete] as const
  }
  return [] as const
}

/** As many of the first generations of a batch as the credits pay. */
function countAffordable(prices: readonly number[], credits: number): number {
  let left = credits
  const tooDear = prices.findIndex((price) => {
    left -= price
    return left < 0
  })
  return tooDear < 0 ? prices.length : tooDear
}

export function StartButton({
  page,
  state,
  check,
  problems,
  rechecks,
  onShow,
  actions: { busy, preview, ...actions },
}: {
  page: AnyToolPage
  state: StudioState
  check: PhotoCheck | null
  /** Of the chosen options; problems of earlier ones are being checked again if it `rechecks`. */
  problems: readonly string[]
  rechecks: boolean
  onShow: (picture: string) => void
  actions: StartActions
}) {
  const { t, i18n } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data: balance } = useQuery({ ...balanceQuery, enabled: signedIn })
  const { each, total, enabled, message, known } = usePrices(page, state, check)
  const found = check?.found ?? null
  const online = useAtomValue(onlineAtom)
  const { action, actionMany = action } = page.labels
  const count = each.length
  const label = i18n._(count > 1 ? { ...actionMany, values: { count } } : action)
  const missing = missingInput(page.definition, state.inputs)
  const send = (download: boolean, first: number) => {
    if (preview) preview()
    else if (signedIn) actions.start(Math.max(...each), found, download, first)
    else actions.signUp(total)
  }
  const start = (download = false, first = count) => {
    const [generation, incomplete] = firstIncompleteGeneration(page, state, found)
    const [problem] = problems
    const chosen = hasPictures(state)
    if (missing && chosen) showSnackbar('error', t`Pilih dulu: ${i18n._(missing.label)}`)
    else if (incomplete && chosen) {
      showSnackbar('error', i18n._(incomplete))
      onShow(generation?.[mainInput(page.definition)]?.[0]?.id ?? '')
    } else if (chosen && showRequiredChoice()) return
    else if (problem) {
      showSnackbar('error', problem)
      showStartProblems()
    } else if (rechecks) {
      wait({ download, first, total })
      showSnackbar('info', t`Masih diperiksa dengan pilihan barumu. Begitu cocok, langsung dimulai.`)
      showStartProblems()
    } else send(download, first)
  }
  // The user may not have seen the warnings of the check yet.
  const resume = (download: boolean, first = count) =>
    found?.warnings.length ? showStartProblems() : start(download, first)
  const { waits, wait } = useStartAfterCheck<{ download: boolean; first: number; total: number }>(
    rechecks,
    `${picturesOf(state)} ${optionsOf(state)}`,
    (waiting, answered) => {
      if (!answered) send(waiting.download, waiting.first)
      else if (total <= waiting.total) resume(waiting.download, waiting.first)
    },
  )
  const unlimited = balance?.unlimitedUntil ? Date.parse(balance.unlimitedUntil) > serverNow() : false
  const covered = unlimited || (balance !== undefined && balance.credits >= total)
  const unsuitable = check && inputToReplace(page, state, check)
  useResumePending(page.definition.id, state, {
    ready: signedIn && !preview && enabled && known && covered && (check?.settled ?? true) && unsuitable === null,
    total,
    start: resume,
  })
  if (!enabled) {
    return <ToolOff message={message} />
  }
  if (unsuitable !== null) {
    const own = Object.keys(page.definition.inputs).length > 1 ? page.definition.inputs[unsuitable] : undefined
    const which = own && i18n._(own.label)
    return (
      <Button size="lg" icon={ImageUp} onClick={() => actions.change(own && unsuitable)}>
        {which ? t`Ganti foto · ${which}` : t`Ganti foto`}
      </Button>
    )
  }
  const credits = balance?.credits
  const shownTotal = formatNumber(total)
  const shownCredits = formatNumber(credits ?? 0)
  const shownMissing = formatNumber(total - (credits ?? 0))
  const shownRest = formatNumber((credits ?? 0) - total)
  if (signedIn && !preview && !unlimited && credits !== undefined && credits < total) {
    const affordable = countAffordable(each, credits)
    return (
      <div className="grid grid-cols-1 gap-1.5">
        <p className="text-sm leading-snug" id="credits-missing">
          <Trans>
            <strong>Kurang {shownMissing} kredit</strong>: butuh {shownTotal}, saldomu {shownCredits}.
          </Trans>{' '}
          {hasPictures(state) && (
            <span className="studio-aside">
              {takesVideo(page.definition) ? t`Videomu tetap tersimpan di sini.` : t`Fotomu tetap tersimpan di sini.`}
            </span>
          )}
        </p>
        <Button
          size="lg"
          className="px-1"
          aria-describedby="credits-missing"
          onClick={() => actions.topUp(total - credits)}
        >
          {t`Tambah kredit`}
        </Button>
        {affordable > 0 && (
          <Button variant="soft" busy={busy || waits} onClick={() => start(false, affordable)}>
            <Plural value={affordable} one="Proses # sekarang" other="Proses # sekarang" />
          </Button>
        )}
      </div>
    )
  }
  function note() {
    if (!signedIn) return preview ? t`Pratinjau gratis, tanpa daftar.` : null
    if (preview) return t`Contoh ini gratis.`
    if (!online) return t`Offline: tersimpan di sini dan terkirim sendiri begitu ada koneksi.`
    if (unlimited) return t`Paketmu tanpa batas: tidak ada kredit yang terpakai.`
    if (credits === undefined) return '\u00a0'
    if (total === 0) return t`Saldomu tetap ${shownCredits} kredit.`
    return t`Saldo ${shownCredits} kredit, jadi ${shownRest} setelah ini.`
  }
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <Button size="lg" className="px-1" busy={busy || waits} onClick={() => start()}>
        {/* Page translation may hold the text nodes of the old price. */}
        <span key={`${label} ${total}`} className="text-balance">
          {label} <span aria-hidden>·</span>{' '}
          <span className="whitespace-nowrap font-medium">
            {unlimited ? (
              t`tanpa batas`
            ) : (!signedIn && preview) || total === 0 ? (
              t`gratis`
            ) : (
              <CreditCount count={total} />
            )}
          </span>
        </span>
      </Button>
      <p key={note()} className="studio-aside text-center text-muted text-xs low:hidden">
        {note() ?? <WelcomeOffer />}
      </p>
    </div>
  )
}
