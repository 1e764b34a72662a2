import type { PassportPreset, PassportRule } from '#tools/passport-photo/contract/definition.ts'
import { officialColours } from '#tools/passport-photo/contract/definition.ts'
import { PhotoSample } from '#tools/passport-photo/ui/photo-sample.tsx'
import { isDrawable } from './preset-form.ts'

const height = 176

/** How a photo by the rule looks, with the band in which the eyes may lie. */
export function RuleDrawing({ rule, background }: { rule: PassportRule } & Pick<PassportPreset, 'background'>) {
  if (!isDrawable(rule)) {
    return <div aria-hidden className="h-44 w-28 justify-self-center rounded-field bg-base-200" />
  }
  return (
    <div aria-hidden className="relative w-fit justify-self-center">
      <PhotoSample
        person={null}
        rule={rule}
        colour={officialColours[background === 'birth-year' ? 'red' : background]}
        height={height}
      />
      <div
        className="absolute inset-x-0 border-white/80 border-y border-dashed bg-white/15"
        style={{
          bottom: Math.max(0, rule.eyes.min * height),
          height: Math.max(2, (rule.eyes.max - rule.eyes.min) * height),
        }}
      />
    </div>
  )
}
