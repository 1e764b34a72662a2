import '../late-components.css'
import { useLingui } from '@lingui/react/macro'
import { Brush, Eraser, Redo2, Trash2, Undo2, WandSparkles } from 'lucide-react'
import { Button, IconButton } from '../button.tsx'
import { Segmented } from '../segmented.tsx'
import { brushSizes, clearStrokes, type MaskState, redo, undo } from './strokes.ts'

export function MaskTools({
  state,
  onChange,
  labels,
}: {
  state: MaskState
  onChange: (change: (now: MaskState) => MaskState) => void
  /** Such as "Pertahankan" and "Buang". */
  labels?: { keep: string; erase: string }
}) {
  const { t } = useLingui()
  const { past, future, strokes } = state.history
  const percent = Math.round(state.size * 100)
  const steps = [
    { icon: Undo2, label: t`Urungkan`, possible: past.length > 0, change: undo },
    { icon: Redo2, label: t`Ulangi`, possible: future.length > 0, change: redo },
    { icon: Trash2, label: t`Hapus semua goresan`, possible: strokes.length > 0, change: clearStrokes },
  ]
  return (
    <div className="grid gap-2">
      <Segmented
        label={t`Alat menggambar`}
        choices={{
          keep: { label: labels?.keep ?? t`Kuas`, icon: Brush },
          erase: { label: labels?.erase ?? t`Penghapus`, icon: Eraser },
        }}
        value={state.mode}
        onChange={(mode) => onChange((now) => ({ ...now, mode }))}
      />
      <div className="flex flex-wrap items-center gap-0.5">
        <Button
          variant="ghost"
          icon={WandSparkles}
          className="gap-1 px-1.5 text-sm aria-pressed:bg-soft aria-pressed:text-on-soft"
          aria-label={t`Ketuk untuk menandai`}
          title={t`Ketuk untuk menandai`}
          aria-pressed={state.selecting}
          onClick={() => onChange((now) => ({ ...now, selecting: !now.selecting }))}
        >
          {t`Ketuk`}
        </Button>
        <label className="flex min-h-11 min-w-26 flex-1 items-center gap-2 pr-1 text-sm">
          <span className="shrink-0 font-medium">{t`Ukuran`}</span>
          <input
            type="range"
            className="range range-primary range-xs min-w-0 flex-1"
            // Small sizes need finer steps than large ones.
            min={Math.sqrt(brushSizes.min)}
            max={Math.sqrt(brushSizes.max)}
            step={0.005}
            value={Math.sqrt(state.size)}
            aria-valuetext={t`${percent}% dari foto`}
            disabled={state.selecting}
            onChange={({ target }) => onChange((now) => ({ ...now, size: target.valueAsNumber ** 2 }))}
          />
        </label>
        <div className="ms-auto flex gap-0.5">
          {steps.map(({ icon, label, possible, change }) => (
            <IconButton
              key={label}
              icon={icon}
              label={label}
              disabled={!possible}
              onClick={() => onChange((now) => ({ ...now, history: change(now.history) }))}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
