import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Check, Circle, ImageUp, SlidersHorizontal, Sparkles } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { formatSize } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { previewLongSide } from '#shared/media.ts'
import type { DevicePicture } from '#tools/browser/worker-lane.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { useBetterModel } from '#tools/ui/tools-query.ts'
import { BarButton, Button } from '#ui/button.tsx'
import { CreditCount } from '#ui/credit-count.tsx'
import type { Size } from '#ui/geometry.ts'
import { WelcomeOffer } from '#ui/welcome-offer.tsx'
import { sizeToSend } from '../picture.ts'
import { useDecoded } from '../result/rerender.ts'
import { type Reveal, useReveal } from '../result/reveal-animation.ts'
import { mainInput } from './inputs.ts'
import { BusyNotice } from './remaining-time.tsx'
import { ReplacedNotice } from './replaced-notice.tsx'
import { StatusCard } from './status-card.tsx'
import { StudioLayout } from './studio-layout.tsx'
import type { StudioProps, StudioState } from './studio-state.ts'
import { optionsOf, type VisitorPreview } from './visitor-preview.ts'
import { WaitingPicture } from './waiting-picture.tsx'

const Viewer = lazyComponent(() => import('../result/viewer.tsx'), 'Viewer')

/** The way from a preview to the whole result. */
export function PreviewActions({
  price,
  brief = false,
  onOther,
  onSignUp,
}: {
  /** Credits; null for an example. */
  price: number | null
  /** Leaves the room to the options. */
  brief?: boolean
  onOther: () => void
  onSignUp: (start: 'register' | 'login') => void
}) {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  if (signedIn) {
    return (
      <Button size="lg" onClick={onOther}>
        {t`Coba dengan fotomu`}
      </Button>
    )
  }
  return (
    <>
      <Button size="lg" className="px-2" onClick={() => onSignUp('register')}>
        <span className="text-balance">
          {price === null ? (
            t`Daftar gratis, coba dengan fotomu`
          ) : (
            <>
              {t`Daftar gratis, unduh ukuran penuh`} <span aria-hidden>·</span>{' '}
              <span className="whitespace-nowrap font-medium">
                <CreditCount count={price} />
              </span>
            </>
          )}
        </span>
      </Button>
      {price !== null && (
        <p className="text-center text-muted text-xs low:hidden">
          <WelcomeOffer />
        </p>
      )}
      {!brief && (
        <Button variant="ghost" className="studio-aside" onClick={() => onSignUp('login')}>
          {t`Sudah punya akun? Masuk`}
        </Button>
      )}
    </>
  )
}

/** A preview whose options the visitor changes; `action` leads on from it. */
export interface KeptPreview {
  preview: VisitorPreview
  action: ReactNode
}

/**
 * The preview with the chosen options, without another run: as the server made it, drawn anew by
 * the device, or composed above the server's cut-out.
 */
export function useKeptPreview(
  { page, state }: { page: AnyToolPage; state: StudioState },
  kept: KeptPreview | null,
  device: DevicePicture | null,
): { stage: ReactNode; isCurrent: boolean; onDevice: boolean } | null {
  const { t } = useLingui()
  const picture = state.inputs[mainInput(page.definition)]?.[0]
  const preview = kept?.preview
  const isCurrent = preview?.options === optionsOf(state)
  const drawn = isCurrent ? null : device
  const output = drawn ?? preview?.outputs[0]
  const url = useObjectUrl(output?.blob)
  const beforeUrl = useObjectUrl(preview?.before ?? picture?.original)
  const made = useDecoded(
    output && url
      ? { ...output, id: url, url, name: '', contentType: output.blob.type, bytes: output.blob.size }
      : undefined,
  )
  if (!preview) return null
  const composes =
    !isCurrent && !drawn && !preview.onDevice && page.preview?.from(preview.params) && page.preview.shows(state.params)
  const Composed = composes ? page.preview?.component : undefined
  const size = picture?.size ?? null
  const files = Object.fromEntries(
    Object.entries(state.inputs).map(([name, pictures]) => [name, pictures.map(({ original }) => original)]),
  )
  return {
    isCurrent: isCurrent || drawn !== null || Composed !== undefined,
    onDevice: drawn !== null,
    stage: made && (
      <PreviewViewer
        made={made}
        size={size}
        beforeUrl={beforeUrl}
        after={
          Composed ? (
            <Composed baseUrl={made.url} sourceUrl={beforeUrl} params={state.params} files={files} />
          ) : (
            <img src={made.url} alt={t`Pratinjau hasil`} draggable={false} />
          )
        }
      />
    ),
  }
}

const sameShape = (one: Size, other: Size | null): boolean =>
  other !== null && Math.abs(one.width / one.height - other.width / other.height) < 0.02

function PreviewViewer({
  made,
  size,
  beforeUrl,
  after,
  reveal,
  waiting = null,
}: {
  made: Size
  size: Size | null
  beforeUrl: string | null
  after: ReactNode
  reveal?: Reveal
  waiting?: ReactNode
}) {
  const { t } = useLingui()
  const comparable = size && sameShape(made, size)
  return (
    <Suspense fallback={waiting}>
      <Viewer
        size={comparable ? size : made}
        name={t`Pratinjau`}
        before={comparable && beforeUrl ? <img src={beforeUrl} alt={t`Foto sebelum diedit`} draggable={false} /> : null}
        after={after}
        {...(reveal && { reveal })}
      />
    </Suspense>
  )
}

export function PreviewScreen({
  page,
  state,
  dispatch,
  preview,
  progress,
  device,
  onChange,
  onOther,
  price,
  onSignUp,
}: StudioProps & {
  preview: VisitorPreview | null
  progress: PreviewProgress
  device: DevicePicture | null
  onChange: () => void
  onOther: () => void
  /** Credits; null for an example. */
  price: number | null
  onSignUp: (start: 'register' | 'login') => void
}) {
  const { t, i18n } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { definition } = page
  const picture = state.inputs[mainInput(definition)]?.[0]
  const url = useObjectUrl(picture?.original)
  const beforeUrl = useObjectUrl(preview?.before ?? picture?.original)
  const output = preview?.outputs[0]
  const outputUrl = useObjectUrl(output?.blob)
  const made = useDecoded(
    output && outputUrl
      ? { ...output, id: preview.id, url: outputUrl, name: '', contentType: output.blob.type, bytes: output.blob.size }
      : undefined,
  )
  const better = useBetterModel(page)
  const reveal = useReveal(preview?.id ?? '', preview !== null, made?.url ?? null)
  const size = picture?.size ?? null
  const photo = picture && sizeToSend(picture, true)
  const isReduced = photo && Math.max(photo.width, photo.height) > previewLongSide
  const full = photo && definition.resultSize ? definition.resultSize(state.params, photo) : photo
  const isLarger = full && Math.max(full.width, full.height) > previewLongSide
  const shownSize = isLarger ? formatSize(full) : null
  const waiting = (
    <WaitingPicture
      page={page}
      state={state}
      url={url}
      size={size}
      preview={device}
      alt={t`Foto yang kamu pilih`}
      working
    />
  )
  return (
    <StudioLayout
      heading={
        made ? (preview?.onDevice ? t`Pratinjau di perangkat ini` : t`Pratinjau gratis`) : i18n._(definition.label)
      }
      actions={<BarButton icon={ImageUp} label={t`Ganti foto`} onClick={onOther} />}
      notes={state.replaced && <ReplacedNotice page={page} state={state} dispatch={dispatch} />}
      stage={
        made ? (
          <PreviewViewer
            key={made.id}
            made={made}
            size={size}
            beforeUrl={beforeUrl}
            after={<img src={made.url} alt={t`Pratinjau hasil`} draggable={false} />}
            reveal={reveal}
            waiting={waiting}
          />
        ) : (
          waiting
        )
      }
      footer={made && <PreviewActions price={price} onOther={onOther} onSignUp={onSignUp} />}
    >
      {made ? (
        <>
          <p className="leading-snug">
            {signedIn
              ? t`Begini hasilnya untuk contoh ini, tanpa kredit.`
              : shownSize
                ? t`Ini pratinjau kecil. Hasil penuhnya ${shownSize} piksel; foto dan pilihanmu ikut setelah daftar.`
                : isReduced && full === null
                  ? t`Ini pratinjau kecil. Ukuran hasil penuhnya mengikuti subjeknya; foto dan pilihanmu ikut setelah daftar.`
                  : t`Ini pratinjaunya. Foto dan pilihanmu ikut setelah daftar.`}
            {definition.needs?.(state.params).length
              ? ` ${t`Pilihan AI-mu belum terlihat di sini; hasil penuhnya memakainya.`}`
              : better && ` ${t`Hasil penuhnya dibuat model yang lebih baik.`}`}
          </p>
          <Button variant="soft" icon={SlidersHorizontal} className="justify-self-start" onClick={onChange}>
            {t`Ubah pilihannya`}
          </Button>
        </>
      ) : (
        <PreviewSteps page={page} {...progress}>
          {shownSize && !signedIn && t`Hasil penuhnya ${shownSize} piksel, tanpa tulisan di atasnya.`}
        </PreviewSteps>
      )}
    </StudioLayout>
  )
}

interface PreviewProgress {
  /** The reduced photo is on its way or arrived. */
  isSent: boolean
  /** The server refused for now, and is asked again. */
  isBusy: boolean
}

function PreviewSteps({
  page,
  isSent,
  isBusy,
  children,
}: PreviewProgress & { page: AnyToolPage; children: ReactNode }) {
  const { t, i18n } = useLingui()
  const tool = i18n._(page.definition.label)
  const current = isSent ? 1 : 0
  const steps = [
    t`Foto dikecilkan di perangkatmu, paling besar ${previewLongSide} piksel`,
    t`${tool} dikerjakan di server kami`,
    t`Pratinjaunya tampil di sini, gratis dan tidak disimpan di server`,
  ]
  return (
    <StatusCard tone="busy" icon={Sparkles} title={t`Membuat pratinjau…`}>
      {isBusy ? (
        <span className="block font-medium text-base-content">{t`Server sedang ramai. Sebentar lagi dicoba sendiri.`}</span>
      ) : (
        <BusyNotice />
      )}
      <ol className="mt-1 grid gap-1.5">
        {steps.map((text, index) => {
          const isCurrent = index === current
          const Icon = index < current ? Check : Circle
          return (
            <li
              key={text}
              aria-current={isCurrent ? 'step' : undefined}
              className={`flex gap-2.5 ${isCurrent ? 'font-medium text-base-content' : ''}`}
            >
              {isCurrent ? (
                <span aria-hidden className="loading size-4 shrink-0" />
              ) : (
                <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
              )}
              {text}
            </li>
          )
        })}
      </ol>
      <p className="mt-2 empty:hidden">{children}</p>
    </StatusCard>
  )
}
