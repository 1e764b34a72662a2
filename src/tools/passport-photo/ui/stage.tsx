import { inverse, transform } from '#engine/image/geometry.ts'
import type { Correction } from '#tools/ui/correction.ts'
import { CorrectionStage } from '#tools/ui/correction-tools.tsx'
import type { StageProps } from '#tools/ui/page.ts'
import type { PassportPhotoParams, PassportRule } from '../contract/definition.ts'
import { ruleOf } from '../contract/presets.ts'
import { framePhoto, type PhotoFrame, type PortraitFacts } from '../engine/frame.ts'
import { usePresets } from './use-presets.tsx'

/** Dashed lines show the rule, solid ones the head. */
export function PassportPhotoStage(props: StageProps<Correction, PassportPhotoParams>) {
  const { picture, params, check } = props
  const portrait = check?.facts.portrait as unknown as PortraitFacts | undefined
  const rule = ruleOf(params, usePresets())
  if (props.state.brushing) return <CorrectionStage {...props} />
  return (
    <>
      <div className="stage-picture">{picture}</div>
      {portrait && rule && <FrameOverlay portrait={portrait} rule={rule} />}
    </>
  )
}

function FrameOverlay({ portrait, rule }: { portrait: PortraitFacts; rule: PassportRule }) {
  const frame = framePhoto(portrait, rule)
  const { width, height } = portrait
  const back = inverse(frame.placement)
  const point = (x: number, y: number) => {
    const { x: left, y: top } = transform(back, { x: x * frame.width, y: y * frame.height })
    return `${left.toFixed(1)} ${top.toFixed(1)}`
  }
  const outline = `M${point(0, 0)}L${point(1, 0)}L${point(1, 1)}L${point(0, 1)}Z`
  const across = (y: number, from = 0, to = 1) => `M${point(from, y)}L${point(to, y)}`
  const { crown, eyes, chin, crowns, eyeBand } = linesOf(frame, portrait, rule)
  const wanted = `${[...crowns, ...eyeBand].map((y) => across(y)).join('')}M${point(0.5, 0)}L${point(0.5, 1)}`
  const actual = [crown, eyes, chin].map((y) => across(y, 0.18, 0.82)).join('')
  const thin = Math.max(width, height) / 420
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className="pointer-events-none absolute inset-0 size-full overflow-hidden rounded-lg"
      fill="none"
      aria-hidden="true"
    >
      <path d={`M0 0H${width}V${height}H0Z${outline}`} fillRule="evenodd" fill="rgb(24 18 12 / 0.55)" />
      <g strokeLinecap="round">
        <path d={outline} stroke="rgb(24 18 12 / 0.5)" strokeWidth={2.4 * thin} />
        <path d={outline} stroke="#fff" strokeWidth={1.2 * thin} />
        <path d={wanted} stroke="rgb(24 18 12 / 0.45)" strokeWidth={1.6 * thin} />
        <path d={wanted} stroke="#fff" strokeWidth={thin} strokeDasharray={`${3 * thin} ${3 * thin}`} />
        <path d={actual} stroke="rgb(24 18 12 / 0.5)" strokeWidth={2.6 * thin} />
        <path d={actual} stroke="var(--color-primary)" strokeWidth={1.6 * thin} />
      </g>
    </svg>
  )
}

function linesOf(frame: PhotoFrame, { eyesToChin, eyesToCrown }: PortraitFacts, rule: PassportRule) {
  const eyes = 1 - frame.eyes
  const crown = eyes - (eyesToCrown * frame.placement.scale) / frame.height
  const chin = eyes + (eyesToChin * frame.placement.scale) / frame.height
  return {
    crown,
    eyes,
    chin,
    crowns: [chin - rule.head.max, chin - rule.head.min],
    eyeBand: [1 - rule.eyes.max, 1 - rule.eyes.min],
  }
}
