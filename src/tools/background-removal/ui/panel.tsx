import { useLingui } from '@lingui/react/macro'
import { Crop, ImageIcon, PaintBucket, ScanFace, SquareDashedMousePointer, Store, UserPlus, X } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import type { Logo } from '#tools/contract/logo.ts'
import { BackgroundPicker } from '#tools/ui/background-picker.tsx'
import { OptionButton, type OptionSection, OptionSections, optionProps, Range, Switch } from '#tools/ui/controls.tsx'
import { CorrectionStage, useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import { useLogoUrl } from '#tools/ui/logo-query.ts'
import { useLogoSection } from '#tools/ui/logo-section.tsx'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { PanelProps, PreviewProps, StageProps } from '#tools/ui/page.ts'
import { PlatformChoice, ShapeIcon } from '#tools/ui/platform-choice.tsx'
import { SubjectChoice } from '#tools/ui/subject-choice.tsx'
import { useProvidedTasks } from '#tools/ui/tools-query.ts'
import { BoxMarker } from '#ui/box-marker.tsx'
import { IconButton } from '#ui/button.tsx'
import { FacePicker } from '#ui/face-picker.tsx'
import { firstBox } from '#ui/geometry.ts'
import { type BackgroundRemovalParams, maxMargin } from '../contract/definition.ts'
import { paramsForShape, type ShapedLook } from './shapes.ts'
import { personAt, type SubjectStage } from './stage-state.ts'

type Props = PanelProps<BackgroundRemovalParams, SubjectStage>

export function BackgroundRemovalPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const shapedLook = useRef<ShapedLook | null>(null)
  const correction = useCorrectionSection(stage)
  const logo = useLogoSection(props)
  const knowsDepth = useProvidedTasks('background-removal')('depth')
  const sections: (OptionSection | null)[] = [
    {
      id: 'background',
      label: t`Latar`,
      icon: PaintBucket,
      content: (
        <BackgroundPicker
          {...props}
          {...optionProps(props, 'background')}
          onLens={knowsDepth ? () => props.onChange({ background: { type: 'lens' } }) : undefined}
        />
      ),
      changed: params.background.type !== 'transparent',
    },
    {
      id: 'ready',
      label: t`Siap jual`,
      icon: Store,
      content: <Presets {...props} last={shapedLook} />,
      changed: params.shape !== 'own',
    },
    {
      id: 'frame',
      label: t`Bingkai`,
      icon: Crop,
      content: <Frame {...props} />,
      changed: params.crop || params.shadow || params.softness > 0,
    },
    logo,
    correction,
  ]
  const subject: OptionSection = {
    id: 'subject',
    label: t`Subjek`,
    icon: ScanFace,
    content: <Subject {...props} />,
    changed: params.subject !== 'auto' || Boolean(stage?.state.box ?? stage?.state.people),
  }
  return (
    <OptionSections
      sections={[phase === 'before' && subject, ...sections]}
      onOpen={(id) =>
        stage?.onChange((now) => ({ ...now, brushing: id === 'brush', marking: id === 'subject' && now.marking }))
      }
    />
  )
}

function Subject(props: Props) {
  const { t } = useLingui()
  const { stage } = props
  const subject = optionProps(props, 'subject')
  return (
    <div className="flex flex-col gap-2">
      <SubjectChoice
        {...subject}
        onChange={(value) => {
          subject.onChange(value)
          stage?.onChange((now) => ({ ...now, people: null }))
        }}
      />
      {stage && (
        <div className="flex items-center gap-2">
          <OptionButton
            icon={SquareDashedMousePointer}
            aria-pressed={stage.state.marking}
            className="flex-1"
            onClick={() =>
              stage.onChange((now) =>
                now.marking
                  ? { ...now, marking: false }
                  : { ...now, brushing: false, marking: true, box: now.box ?? firstBox },
              )
            }
          >
            {stage.state.marking
              ? t`Geser kotak ke objeknya`
              : stage.state.box
                ? t`Ubah kotak objek`
                : t`Tandai objek di foto`}
          </OptionButton>
          {stage.state.box && (
            <IconButton
              icon={X}
              label={t`Hapus kotak objek`}
              className="size-11"
              onClick={() => stage.onChange((now) => ({ ...now, marking: false, box: null }))}
            />
          )}
        </div>
      )}
    </div>
  )
}

function Presets({ params, onChange, last }: Props & { last: RefObject<ShapedLook | null> }) {
  const { t } = useLingui()
  const framesSubject = params.shape === '1:1' || params.shape === '4:5'
  return (
    <PlatformChoice
      label={t`Siap jual`}
      own={[
        { value: 'own', caption: t`Asli`, icon: <ImageIcon aria-hidden className="size-5" /> },
        { value: '1:1', caption: t`Persegi`, icon: <ShapeIcon width={1} height={1} /> },
        { value: '4:5', caption: t`Tegak`, icon: <ShapeIcon width={4} height={5} /> },
      ]}
      note={framesSubject && t`Ukurannya mengikuti subjek, bukan seluruh foto.`}
      value={params.shape}
      onChange={(shape) => {
        const { change, look } = paramsForShape(params, shape, last.current)
        last.current = look
        onChange(change)
      }}
    />
  )
}

function Frame(props: Props) {
  const { t } = useLingui()
  const { params } = props
  return (
    <div className="flex flex-col">
      {params.shape === 'own' && <Switch label={t`Potong pas ke subjek`} {...optionProps(props, 'crop')} />}
      {params.crop || (params.shape !== 'own' && params.shape !== 'sticker') ? (
        <Range label={t`Jarak tepi`} {...optionProps(props, 'margin')} max={maxMargin} step={1} />
      ) : null}
      <Switch label={t`Bayangan lembut`} {...optionProps(props, 'shadow')} />
      <Range label={t`Tepi lembut`} {...optionProps(props, 'softness')} />
    </div>
  )
}

export function BackgroundRemovalStage(props: StageProps<SubjectStage>) {
  const { picture, state, onChange } = props
  const { brushing, marking, box, people, mask } = state
  return (
    <>
      {brushing || mask.history.strokes.length > 0 ? (
        <CorrectionStage {...props} />
      ) : (
        <div className="stage-picture">{picture}</div>
      )}
      {!brushing && (box || marking) && (
        <BoxMarker box={box} marking={marking} onChange={(next) => onChange((now) => ({ ...now, box: next }))} />
      )}
      {people && !(brushing || box || marking) && <PeoplePicker {...props} people={people} />}
    </>
  )
}

type People = NonNullable<SubjectStage['people']>

/** The found people, and those at taps, of whom the photo check tells. */
function PeoplePicker({ people, state, onChange, check }: StageProps<SubjectStage> & { people: People }) {
  const { t } = useLingui()
  const { boxes, picked, taps } = people
  const change = (next: Partial<People>) =>
    onChange((now) => ({ ...now, adding: false, people: { ...people, ...next } }))
  const tapped = taps.map((tap) => ({ tap, box: personAt(tap, check?.facts) }))
  const added = tapped.flatMap(({ tap, box }) => (box ? [{ tap, box }] : []))
  return (
    <>
      <FacePicker
        people
        label={t`Orang yang disimpan`}
        faces={[...boxes.map((box) => ({ box })), ...added]}
        size={{ width: 1, height: 1 }}
        picked={[...picked, ...added.map((_, i) => boxes.length + i)]}
        onPick={(all) => {
          const released = added.find((_, i) => !all.includes(boxes.length + i))
          change({ picked: all.filter((i) => i < boxes.length), taps: taps.filter((tap) => tap !== released?.tap) })
        }}
      />
      {state.adding && (
        <button
          type="button"
          aria-label={t`Ketuk wajah yang terlewat`}
          className="absolute inset-0 cursor-crosshair"
          onClick={({ clientX, clientY, currentTarget }) => {
            const { left, top, width, height } = currentTarget.getBoundingClientRect()
            change({ taps: [...taps, { x: (clientX - left) / width, y: (clientY - top) / height }] })
          }}
        />
      )}
      {tapped.map(({ tap, box }) =>
        box ? null : (
          <button
            key={`${tap.x} ${tap.y}`}
            type="button"
            aria-label={t`Hapus titik`}
            className="-translate-x-1/2 -translate-y-1/2 btn btn-circle absolute size-11"
            style={{ left: `${100 * tap.x}%`, top: `${100 * tap.y}%` }}
            onClick={() => change({ taps: taps.filter((other) => other !== tap) })}
          >
            {box === null ? <X aria-hidden /> : <span aria-hidden className="loading loading-sm" />}
          </button>
        ),
      )}
      <OptionButton
        icon={UserPlus}
        aria-pressed={state.adding}
        className="-translate-x-1/2 absolute bottom-2 left-1/2 bg-base-100"
        onClick={() => onChange((now) => ({ ...now, adding: !now.adding }))}
      >
        {state.adding ? t`Ketuk wajah orangnya` : t`Tambah orang`}
      </OptionButton>
    </>
  )
}

/** Composed by the browser until the server has rendered the result. */
export function BackgroundRemovalPreview({ baseUrl, sourceUrl, params, files }: PreviewProps<BackgroundRemovalParams>) {
  const { background, shadow, logo } = params
  const own = useObjectUrl(background.type === 'image' ? files.background?.[0] : null)
  return (
    <div className="absolute inset-0 overflow-hidden">
      {background.type === 'color' && (
        <div className="absolute inset-0" style={{ backgroundColor: background.color }} />
      )}
      {background.type === 'blur' && sourceUrl && (
        <img src={sourceUrl} alt="" className="absolute inset-0 size-full scale-110 object-cover blur-lg" />
      )}
      {own && <img src={own} alt="" className="absolute inset-0 size-full object-cover" />}
      <img
        src={baseUrl}
        alt=""
        draggable={false}
        className={`absolute inset-0 size-full ${shadow ? 'drop-shadow-[0_10px_12px_rgb(0_0_0/0.35)]' : ''}`}
      />
      {logo && <LogoOver logo={logo} files={files} />}
    </div>
  )
}

function LogoOver({
  logo: { place, size, margin, opacity },
  files,
}: { logo: Logo } & Pick<PreviewProps<unknown>, 'files'>) {
  const url = useLogoUrl(files)
  const [across, down] = [place.endsWith('left') ? 'left' : 'right', place.startsWith('top') ? 'top' : 'bottom']
  const side = `${100 * size}cqmin`
  const edge = `${100 * margin}cqmin`
  const at =
    place === 'center'
      ? { inset: 0, margin: 'auto', objectPosition: 'center' }
      : { [across]: edge, [down]: edge, objectPosition: `${across} ${down}` }
  return (
    <div className="absolute inset-0" style={{ containerType: 'size' }}>
      {url && (
        <img
          src={url}
          alt=""
          style={{ position: 'absolute', objectFit: 'contain', width: side, height: side, opacity, ...at }}
        />
      )}
    </div>
  )
}
