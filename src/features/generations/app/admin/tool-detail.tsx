import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { RotateCcw } from 'lucide-react'
import { formatDateTime, formatNumber } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { imageLimits, videoLimits } from '#shared/media.ts'
import type { InputSpec } from '#tools/contract/tool.ts'
import { useEngineName, useToolName, useTools } from '#tools/tool-name.ts'
import { ChangeSwitch } from '#ui/admin/change-switch.tsx'
import { adminQuery, useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Code, Rows, TextLink } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import type { Failures, ToolSettingsView } from '../../schemas.ts'

const megabytes = (bytes: number) => `${formatNumber(bytes / 2 ** 20)} MB`

function Limits({ tool }: { tool: string }) {
  const { i18n, t } = useLingui()
  const inputs = useTools().find(({ id }) => id === tool)?.inputs
  const countOf = ({ min, max }: InputSpec) => {
    if (min === 0 && max === 1) return t`tidak wajib`
    return min === max ? `× ${formatNumber(max)}` : `× ${min}–${formatNumber(max)}`
  }
  const sizeOf = ({ kind }: InputSpec) =>
    kind === 'video'
      ? t`sampai ${megabytes(videoLimits.bytes)}, ${formatNumber(videoLimits.seconds)} detik`
      : t`sampai ${megabytes(imageLimits.bytes)}, ${formatNumber(imageLimits.pixels / 1e6)} megapiksel`
  return (
    <div className="grid gap-1.5">
      <h3 className="font-semibold text-sm">{t`Batas berkas`}</h3>
      <dl className="grid gap-x-4 gap-y-0.5 text-sm md:grid-cols-[auto_minmax(0,1fr)]">
        {Object.entries(inputs ?? {}).map(([name, spec]) => (
          <div key={name} className="contents">
            <dt>
              {i18n._(spec.label)} <span className="text-muted tabular-nums">{countOf(spec)}</span>
            </dt>
            <dd className="text-muted">{sizeOf(spec)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function FailureList({ tool }: { tool: string }) {
  const { t } = useLingui()
  const nameOf = useEngineName()
  const { mutate } = useChange({ successMessage: t`Dijalankan lagi tanpa biaya.` })
  const me = useAtomValue(userAtom)
  return (
    <Loaded query={useQuery(adminQuery<Failures>(`tools/${tool}/failures`))} height="h-32">
      {({ items }) => (
        <div className="-mx-2 max-h-80 overflow-y-auto">
          <Rows
            empty={t`Tidak ada kegagalan.`}
            rows={items.map(({ id, userId, code, msg, provider, finishedAt, again }) => ({
              key: id,
              text: msg,
              note: (
                <>
                  <Code>{code}</Code> · {nameOf(provider)}
                  {finishedAt && ` · ${formatDateTime(finishedAt)}`} ·{' '}
                  <TextLink to={`/admin/users/${userId}`}>{t`pengguna`}</TextLink>
                </>
              ),
              end: again && userId !== me?.id && (
                <Button
                  variant="outline"
                  icon={RotateCcw}
                  onClick={() => mutate({ path: `generations/${id}/run_again` })}
                >
                  {t`Jalankan lagi`}
                </Button>
              ),
            }))}
          />
        </div>
      )}
    </Loaded>
  )
}

function Setting({
  path,
  name,
  label,
  hint,
  checked,
}: {
  path: string
  name: keyof ToolSettingsView
  label: string
  hint: string
  checked: boolean
}) {
  const { t } = useLingui()
  return (
    <div className="flex items-center justify-between gap-4">
      <span>
        <span className="block font-medium">{label}</span>
        <span className="text-muted text-sm">{hint}</span>
      </span>
      <ChangeSwitch
        label={label}
        checked={checked}
        change={(on) => ({ path, method: 'PATCH', json: { [name]: on } })}
        successMessage={t`Pengaturan alat tersimpan.`}
      />
    </div>
  )
}

export function ToolDetail({ settings, onClose }: { settings: ToolSettingsView; onClose: () => void }) {
  const { t } = useLingui()
  const { tool, markRequired, remoteAllowed } = settings
  const name = useToolName()(tool)
  return (
    <Dialog open onClose={onClose} title={name} layout="wide">
      <div className="grid gap-4">
        <Setting
          path={`tools/${tool}`}
          name="markRequired"
          label={t`Tanda “Diedit AI” wajib`}
          hint={t`Setiap hasil alat ini diberi tulisan kecil di sudut kanan bawah: di foto, halaman cetak, dan video.`}
          checked={markRequired}
        />
        {remoteAllowed !== null && (
          <Setting
            path={`tools/${tool}`}
            name="remoteAllowed"
            label={t`Boleh memakai layanan luar`}
            hint={t`Kalau dimatikan, foto untuk alat ini tetap di servermu, dan pilihan yang butuh layanan luar tidak ditawarkan.`}
            checked={remoteAllowed}
          />
        )}
        <Limits tool={tool} />
        <h3 className="font-bold">{t`Kegagalan terakhir`}</h3>
        <FailureList tool={tool} />
      </div>
    </Dialog>
  )
}
