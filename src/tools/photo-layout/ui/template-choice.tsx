import { useLingui } from '@lingui/react/macro'
import { type LayoutCount, layoutTemplates, templateFor } from '#engine/tasks/layout/index.ts'
import { ChoiceRow } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import type { PhotoLayoutParams } from '../contract/definition.ts'
import type { LayoutStage } from './stage-state.ts'

/** Templates for four pictures are shown before there are enough. */
export function TemplateChoice({ params, onChange, counts }: PanelProps<PhotoLayoutParams, LayoutStage>) {
  const { t } = useLingui()
  const count = Math.min(8, Math.max(4, counts.pictures ?? 4)) as LayoutCount
  const chosen = templateFor(count, params.template).id
  return (
    <ChoiceRow label={t`Susunan halaman`} className="gap-2 lg:grid-cols-6">
      {layoutTemplates[count].map(({ id, cells }, index) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === chosen}
          aria-label={t`Susunan ${index + 1}`}
          onClick={() => onChange({ template: id.slice(2) })}
          className="grid aspect-square w-16 shrink-0 place-items-center rounded-xl bg-base-200 text-muted aria-pressed:bg-soft aria-pressed:text-primary aria-pressed:outline-2 aria-pressed:outline-primary aria-pressed:-outline-offset-2 lg:w-auto"
        >
          <svg viewBox="0 0 48 48" className="w-3/4" aria-hidden="true">
            {cells.map(({ x, y, width, height }) => (
              <rect
                key={`${x},${y}`}
                x={48 * x + 1.5}
                y={48 * y + 1.5}
                width={48 * width - 3}
                height={48 * height - 3}
                rx="2.5"
                fill="currentColor"
                opacity={x === cells[0]?.x && y === cells[0]?.y ? 1 : 0.55}
              />
            ))}
          </svg>
        </button>
      ))}
    </ChoiceRow>
  )
}
