import { useLingui } from '@lingui/react/macro'
import { Crop, PaintBucket, Rotate3d, Sparkles, UserRound } from 'lucide-react'
import { type AddedLocationId, isLocation } from '#engine/scenes.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import { OptionButton, OptionSections, optionProps, Range, Switch } from '#tools/ui/controls.tsx'
import { brushIn, CorrectionStage, useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import { locationSamples } from '#tools/ui/location-sample.ts'
import { useAddedLocations, useAddedPictures, useLocationNames } from '#tools/ui/locations.ts'
import type { PanelProps, StageProps } from '#tools/ui/page.ts'
import { SampleChoice, useSamples } from '#tools/ui/samples.tsx'
import { useProvidedTasks } from '#tools/ui/tools-query.ts'
import { FacePicker } from '#ui/face-picker.tsx'
import { Segmented } from '#ui/segmented.tsx'
import {
  type backdropNames,
  type HeadshotBackdrop,
  type HeadshotParams,
  type HeadshotStyle,
  headshot,
  maxFaces,
  viewCount,
} from '../contract/definition.ts'
import workerUrl from './samples-worker.ts?worker&url'
import type { HeadshotState } from './stage-state.ts'

type Props = PanelProps<HeadshotParams, HeadshotState>

export function HeadshotPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const correction = useCorrectionSection(phase === 'after' ? stage : null)
  const { light, retouch } = headshot.defaults
  const isGenerated = params.style !== 'photo'
  const makesPortraits = useProvidedTasks('headshot')('portrait')
  const style = { id: 'style', label: t`Gaya`, icon: UserRound, content: <Styles {...props} />, changed: isGenerated }
  const sections = [
    phase === 'before' && (makesPortraits || isGenerated) && style,
    !isGenerated && { id: 'backdrop', label: t`Latar`, icon: PaintBucket, content: <Backdrops {...props} /> },
    !isGenerated && {
      id: 'light',
      label: t`Cahaya`,
      icon: Sparkles,
      content: <Studio {...props} />,
      changed: params.light !== light || params.retouch !== retouch,
    },
    { id: 'crop', label: t`Potongan`, icon: Crop, content: <Crops {...props} />, changed: params.ratio !== '3:4' },
    !isGenerated && correction,
  ]
  return <OptionSections sections={sections} onOpen={brushIn(stage)} />
}

/** By photograph: a finished result reuses the check's cut-outs for its samples. */
const cutOutCache = new WeakMap<Blob, string>()

function cutoutOf(photo: Blob | undefined, check: PhotoCheckView | null): string | null {
  const found = check?.facts.cutout
  if (photo && typeof found === 'string') cutOutCache.set(photo, found)
  return (photo && cutOutCache.get(photo)) ?? null
}

function Backdrops(props: Props) {
  const { t } = useLingui()
  const samples = useSamples<HeadshotBackdrop>(workerUrl, cutoutOf(props.files.picture?.[0], props.check))
  const { params, onChange } = props
  const added = useAddedLocations()
  const pictures = useAddedPictures()
  const isFixedView = added.some(({ id, kind }) => id === params.backdrop && kind === 'photo')
  const names: Record<(typeof backdropNames)[number] | AddedLocationId, string> = {
    grey: t`Abu-abu`,
    white: t`Putih`,
    charcoal: t`Arang`,
    sand: t`Pasir`,
    blue: t`Biru`,
    sage: t`Hijau`,
    canvas: t`Kanvas`,
    ...useLocationNames(),
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <SampleChoice
        label={t`Latar headshot`}
        choices={names}
        value={params.backdrop as keyof typeof names}
        onChange={(backdrop) => onChange({ backdrop })}
        samples={{ ...locationSamples, ...pictures, ...samples }}
        portrait
      />
      {isLocation(params.backdrop) && !isFixedView && (
        <OptionButton icon={Rotate3d} onClick={() => onChange({ view: (params.view % viewCount) + 1 })}>
          {t`Lihat ke arah lain`}
        </OptionButton>
      )}
    </div>
  )
}

function Studio(props: Props) {
  const { t } = useLingui()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Range label={t`Cahaya`} {...optionProps(props, 'light')} />
      <Range label={t`Retus`} {...optionProps(props, 'retouch')} />
    </div>
  )
}

function Crops(props: Props) {
  const { t } = useLingui()
  const { params, phase, check } = props
  const several = (check?.faces.length ?? 0) > 1
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {phase === 'before' && several && params.style === 'photo' && (
        <Segmented
          label={t`Foto bersama`}
          choices={{ each: t`Satu per wajah`, group: t`Bersama` }}
          {...optionProps(props, 'mode')}
        />
      )}
      {params.mode === 'each' && (
        <Segmented
          label={t`Bentuk`}
          choices={{ '3:4': '3:4', '4:5': '4:5', '1:1': '1:1' }}
          {...optionProps(props, 'ratio')}
        />
      )}
    </div>
  )
}

function Styles(props: Pick<PanelProps<HeadshotParams>, 'params' | 'onChange'>) {
  const { t } = useLingui()
  const { params, onChange } = props
  const choices: Record<HeadshotStyle, string> = {
    photo: t`Foto asli`,
    office: t`Kantor`,
    studio: t`Studio`,
    outdoor: t`Luar ruang`,
    traditional: t`Baju adat`,
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Segmented
        label={t`Gaya headshot`}
        choices={choices}
        value={params.style}
        onChange={(style) => onChange({ style, ...(style !== 'photo' && { mode: 'each' as const }) })}
      />
      {params.style !== 'photo' && (
        <>
          <div className="grid grid-cols-2 gap-x-6">
            <Switch label={t`Pakaian asli`} {...optionProps(props, 'ownOutfit')} />
            <Switch label={t`Pose asli`} {...optionProps(props, 'ownPose')} />
          </div>
          <p className="text-muted text-xs">
            {t`AI membuat empat usulan dari satu wajah. Yang kurang mirip tidak ditampilkan; kalau semuanya, kreditmu kembali.`}
          </p>
        </>
      )}
    </div>
  )
}

export function HeadshotStage(props: StageProps<HeadshotState, HeadshotParams>) {
  const { t } = useLingui()
  const { picture, size, files, state, onChange, params, check } = props
  if (state.brushing) return <CorrectionStage {...props} />
  const faces = check?.faces ?? []
  return (
    <div className="absolute inset-0 [&>img]:size-full [&>img]:object-contain">
      {picture}
      {params.mode === 'each' && faces.length > 1 && (
        <FacePicker
          faces={faces}
          size={files.picture?.[0]?.size ?? size}
          picked={state.picked ?? []}
          max={maxFaces}
          label={t`Wajah yang dibuatkan headshot`}
          onPick={(next) => next.length > 0 && onChange((now) => ({ ...now, picked: next }))}
        />
      )}
    </div>
  )
}
