import { useLingui } from '@lingui/react/macro'
import { optionProps, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { useTool } from '#tools/ui/tools-query.ts'
import { type SwapFaceParams, swapFaceTool } from '../contract/definition.ts'
import type { SwapState } from './stage-state.ts'

export function SwapFacePanel(props: PanelProps<SwapFaceParams, SwapState>) {
  const { t } = useLingui()
  const { params, onChange, stage, phase, facts } = props
  const required = useTool(swapFaceTool.id)?.markRequired ?? false
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {phase === 'before' && stage && (
        <label className="flex min-h-11 cursor-pointer items-start gap-3 rounded-2xl bg-soft p-3.5 text-on-soft text-sm leading-snug">
          <input
            type="checkbox"
            className="checkbox checked:checkbox-primary mt-0.5"
            checked={stage.state.agreed}
            onChange={(event) => {
              const agreed = event.target.checked
              stage.onChange((now) => ({ ...now, agreed }))
            }}
          />
          <span>{t`Semua orang di foto-foto ini dewasa dan setuju wajahnya ditukar.`}</span>
        </label>
      )}
      {facts.glasses === true && (
        <Switch
          label={t`Pertahankan kacamata`}
          hint={t`Kacamata di foto tujuan. Kalau dilepas, hasilnya lebih mirip wajah baru.`}
          {...optionProps(props, 'keepGlasses')}
        />
      )}
      <Switch
        label={t`Tanda “Diedit AI”`}
        hint={
          required
            ? t`Tulisan kecil di sudut foto, wajib di layanan ini.`
            : t`Tulisan kecil di sudut foto. Di dalam berkasnya, hasil selalu ditandai.`
        }
        value={required || params.mark}
        disabled={required}
        onChange={(mark) => onChange({ mark })}
      />
    </div>
  )
}
