import { toolRoutes } from 'virtual:tool-routes'
import { useLingui } from '@lingui/react/macro'
import { Camera, ImageUp } from 'lucide-react'
import { type DragEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { markBusy } from '#client/busy.ts'
import { reachesServer } from '#client/connection.ts'
import { retryUntilLoaded } from '#client/load-code.ts'
import { draftFiles, loadStudio, preloadStudio, saveDraft } from '#features/generations/app/generations.ts'
import { uploadImageTypes } from '#shared/media.ts'
import { CompareSlider } from '#ui/compare-slider.tsx'
import { FileButton } from '#ui/file-button.tsx'
import { removeInstantStage, showInstantStage } from '#ui/instant-stage.ts'
import { KawungPanel } from '#ui/kawung-panel.tsx'
import { notifyOffline, showSnackbar } from '#ui/snackbar.tsx'

/** A photo chosen on the first page opens in this tool. */
export const photoTool = 'background-removal'

function useOpenInTool() {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  return async (files: File[]) => {
    const pictures = files.filter((file) => file.type.startsWith('image/') || file.type === '')
    if (files.length > 0 && pictures.length === 0) showSnackbar('error', t`Hanya berkas gambar yang diizinkan`)
    if (pictures.length === 0) return removeInstantStage()
    showInstantStage(pictures[0], '')
    preloadStudio(photoTool)
    const route = toolRoutes[photoTool] ?? '/'
    // A reload would lose the pictures on their way to the tool's page.
    const release = markBusy()
    const load = async () => {
      try {
        await loadStudio()
      } catch (error) {
        // Some browsers do not request a failed module twice; a reload gets everything.
        if (await reachesServer()) window.location.assign(route)
        throw error
      }
    }
    try {
      await saveDraft({ tool: photoTool, files: draftFiles(pictures) })
      await retryUntilLoaded(load, notifyOffline)
    } finally {
      release()
    }
    navigate(route)
  }
}

export function DropZone() {
  const { t } = useLingui()
  const openInTool = useOpenInTool()
  const [over, setOver] = useState(false)
  const drag = (event: DragEvent, inside: boolean) => {
    event.preventDefault()
    setOver(inside)
  }
  return (
    <section
      aria-label={t`Pilih foto`}
      className="drop-zone grid gap-3 bg-base-100 p-4 data-over:bg-soft"
      data-over={over || undefined}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false)
        void openInTool([...event.dataTransfer.files])
      }}
    >
      <div className="flex flex-wrap gap-2">
        <FileButton
          size="lg"
          className="flex-auto px-2.5"
          icon={ImageUp}
          accept={uploadImageTypes.join(',')}
          multiple
          data-instant-stage=""
          onFiles={openInTool}
        >
          {t`Pilih foto`}
        </FileButton>
        <FileButton
          size="lg"
          variant="soft"
          className="flex-auto px-2.5 pointer-fine:hidden"
          icon={Camera}
          accept="image/*"
          capture="environment"
          data-instant-stage=""
          onFiles={openInTool}
        >
          {t`Kamera`}
        </FileButton>
      </div>
      <p className="text-center text-muted text-sm">
        <span className="pointer-coarse:hidden">{t`atau seret fotonya ke sini.`} </span>
        {t`JPG, PNG, atau WebP sampai 25 MB.`}
      </p>
    </section>
  )
}

function Sample({ name, alt }: { name: string; alt: string }) {
  return (
    <img
      src={`/samples/${name}.avif`}
      alt={alt}
      width={720}
      height={480}
      className="size-full object-cover object-[38%_50%]"
      // Decoded with the words around it, not a frame later.
      decoding="sync"
      fetchPriority="high"
    />
  )
}

const sideOf = (tool: string, side: 'before' | 'after') => `/samples/tools/${tool}-${side}.avif`

interface Use {
  id: string
  name: string
  label: string
  before: string
  after: string
}

/** The tool's own example; the first use has larger pictures. */
function Side({ use: { id, before, after }, side }: { use: Use; side: 'before' | 'after' }) {
  if (id === photoTool && side === 'before') return <Sample name="coffee" alt={before} />
  if (id === photoTool)
    return (
      <div className="size-full bg-[radial-gradient(circle_at_50%_40%,#fff,#ece8e1)]">
        <Sample name="coffee-cutout" alt={after} />
      </div>
    )
  return (
    <img
      src={sideOf(id, side)}
      alt={side === 'before' ? before : after}
      loading="lazy"
      className="size-full bg-soft object-cover"
    />
  )
}

const turnMs = 5000

const isLoaded = async (address: string) => {
  const picture = new Image()
  picture.src = address
  await picture.decode()
}

/** Shows each use once and returns to the first, unless the user takes over. */
function useTurns(uses: readonly Use[]): [shown: number, choose: (index: number) => void, stop: () => void] {
  const [shown, setShown] = useState(0)
  const [turning, setTurning] = useState(true)
  const next = uses[(shown + 1) % uses.length]?.id ?? photoTool
  useEffect(() => {
    if (!turning || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const isLast = next === photoTool
    const turn = async () => {
      if (!isLast) await Promise.all([isLoaded(sideOf(next, 'before')), isLoaded(sideOf(next, 'after'))])
      setShown((now) => (now + 1) % uses.length)
      if (isLast) setTurning(false)
    }
    const timer = setTimeout(() => void turn().catch(() => setTurning(false)), turnMs)
    return () => clearTimeout(timer)
  }, [next, turning, uses.length])
  const stop = () => setTurning(false)
  const choose = (index: number) => {
    stop()
    setShown(index)
  }
  return [shown, choose, stop]
}

function Uses() {
  const { t } = useLingui()
  const uses: Use[] = [
    {
      id: photoTool,
      name: t`Produk`,
      label: t`Bandingkan foto kopi sebelum dan sesudah latarnya dihapus`,
      before: t`Secangkir kopi di meja kayu`,
      after: t`Cangkir yang sama di latar putih untuk etalase`,
    },
    {
      id: 'passport-photo',
      name: t`Pasfoto`,
      label: t`Bandingkan foto biasa dan pasfoto`,
      before: t`Foto biasa`,
      after: t`Pasfoto berlatar merah`,
    },
    {
      id: 'colorizer',
      name: t`Foto lama`,
      label: t`Bandingkan foto lama sebelum dan sesudah diwarnai`,
      before: t`Potret lama yang pudar`,
      after: t`Potret yang sama, kini berwarna`,
    },
  ]
  const [shown, choose, stop] = useTurns(uses)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only ends the turns
    <div className="hero-uses @container relative" onPointerDown={stop} onKeyDown={stop}>
      {uses.map((use) => (
        <CompareSlider
          key={use.id}
          className="hero-compare aspect-4/3 rounded-[calc(var(--radius-box)*1.4)] shadow-lift lg:aspect-[1.14]"
          start={46}
          label={use.label}
          before={<Side use={use} side="before" />}
          after={<Side use={use} side="after" />}
        />
      ))}
      <fieldset className="absolute top-3 left-3 z-1 flex flex-wrap gap-1.5">
        <legend className="sr-only">{t`Contoh`}</legend>
        {uses.map(({ id, name }, at) => (
          <label
            key={id}
            className="btn rounded-full border-transparent bg-base-100/85 px-[min(0.875rem,4cqw)] text-[min(0.875rem,4.6cqw)] shadow-card [--size:min(2.75rem,15cqw)] has-checked:bg-neutral has-checked:text-neutral-content has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
          >
            <input type="radio" name="use" className="sr-only" checked={at === shown} onChange={() => choose(at)} />
            {name}
          </label>
        ))}
      </fieldset>
    </div>
  )
}

export function Hero() {
  const { t } = useLingui()
  return (
    <section className="overflow-clip">
      <div className="page grid grid-cols-1 items-center gap-x-16 gap-y-8 pt-5 pb-14 md:pt-10 md:pb-24 lg:grid-cols-[1fr_1.08fr] on-side:grid-cols-[6fr_5fr] on-side:gap-x-8 on-side:gap-y-4 on-side:pt-4">
        <div className="grid gap-6 max-lg:order-2 max-lg:contents">
          <div className="grid gap-4 max-lg:order-1 md:gap-5">
            <h1 className="font-extrabold text-[min(2.4rem,13vw)] leading-[1.1] md:text-6xl on-side:text-3xl">{t`Sekali ketuk, latar fotomu hilang.`}</h1>
            <p className="max-w-lg text-lg text-muted leading-relaxed md:text-xl on-side:text-base max-md:on-side:hidden">
              {t`Tepinya rapi, selesai dalam hitungan detik, langsung dari HP. Sinyal putus pun fotomu aman.`}
            </p>
          </div>
          <div className="max-lg:order-3">
            <DropZone />
          </div>
        </div>
        <div className="relative isolate max-lg:order-2 max-sm:low:order-3 on-side:row-span-2">
          <KawungPanel className="absolute inset-[14%_-2.25rem_-2.25rem_30%] -z-1 h-[calc(86%+2.25rem)] w-[calc(70%+2.25rem)] rounded-[calc(var(--radius-box)*1.4)] bg-soft text-[color-mix(in_oklab,var(--color-primary)_26%,var(--color-soft))] max-lg:hidden" />
          <Uses />
        </div>
      </div>
    </section>
  )
}
