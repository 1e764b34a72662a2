import '#ui/late-components.css'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatBytes, formatShare } from '#client/format.ts'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { TablePanel } from '#ui/admin/list.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { CheckboxField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { Code } from '#ui/lists/panel.tsx'
import type { ModelView } from '../../schemas.ts'

export function ModelsPanel() {
  const { t } = useLingui()
  const { data } = useQuery({
    ...adminQuery<{ items: ModelView[] }>('models'),
    refetchInterval: ({ state }) => (state.data?.items.some(({ progress }) => progress !== null) ? 1000 : false),
  })
  return (
    <TablePanel
      title={t`Model yang bisa dipasang`}
      rows={data?.items ?? []}
      rowKey="name"
      empty={t`Tidak ada.`}
      columns={[
        {
          name: t`Model`,
          as: 'wide',
          cell: ({ name, title, improves, quality }) => (
            <NameWithDetails name={title} about={[name, improves, quality].filter(Boolean).join(' · ')} />
          ),
        },
        { name: t`Tugas`, cell: ({ task }) => <Code>{task}</Code> },
        {
          name: t`Lisensi`,
          as: 'wide',
          cell: ({ licence, remark }) => <NameWithDetails name={licence} about={remark} />,
        },
        { name: t`Ukuran`, as: 'number', cell: ({ size }) => (size ? formatBytes(size) : '–') },
        { name: t`Keadaan`, cell: (model) => <State model={model} /> },
      ]}
    />
  )
}

function NameWithDetails({ name, about }: { name: string; about: string | null }) {
  return (
    <span>
      <span className="block">{name}</span>
      {about && <span className="block text-muted text-xs">{about}</span>}
    </span>
  )
}

function State({ model }: { model: ModelView }) {
  const { t } = useLingui()
  const { installed, progress, failure, recommended, objection, trustsFirstDownload } = model
  if (progress !== null) {
    return (
      <span className="grid min-w-28 gap-1">
        <progress className="w-full accent-primary" value={progress} aria-label={t`Sedang diunduh`} />
        <span className="text-muted text-xs">{formatShare(progress)}</span>
      </span>
    )
  }
  return (
    <span className="grid justify-items-start gap-1">
      {failure && <span className="max-w-80 whitespace-pre-line text-danger text-xs">{failure}</span>}
      {trustsFirstDownload && (
        <span className="max-w-60 text-muted text-xs">{t`Sidik jarinya tidak kami kenal: unduhan pertama yang dipercaya`}</span>
      )}
      {installed ? (
        <>
          <Badge tone="good">{t`Terpasang`}</Badge>
          <DialogButton variant="ghost" dialog={<RemoveDialog model={model} />}>{t`Lepas`}</DialogButton>
        </>
      ) : (
        <>
          {recommended && <Badge>{t`Disarankan`}</Badge>}
          {objection === 'source' ? (
            <span className="text-muted text-xs">{t`Lewat npm run models`}</span>
          ) : (
            <DialogButton variant="soft" dialog={<InstallDialog model={model} />}>{t`Pasang`}</DialogButton>
          )}
        </>
      )}
    </span>
  )
}

function RemoveDialog({ model: { name, title } }: { model: ModelView }) {
  const { t } = useLingui()
  return (
    <FormDialog
      danger
      title={t`Lepas ${title}?`}
      text={t`Mesin berikutnya dalam urutan mengerjakan tugasnya.`}
      confirm={t`Lepas`}
      successMessage={t`${title} sudah dilepas.`}
      change={{ path: `models/${name}`, method: 'DELETE' }}
    />
  )
}

function InstallDialog({ model: { name, title, objection, licence, remark } }: { model: ModelView }) {
  const { t } = useLingui()
  return (
    <FormDialog
      title={t`Pasang ${title}?`}
      text={[
        licence,
        remark,
        objection === 'checksum' &&
          t`Sidik jari berkasnya tidak kami kenal. Unduhan pertama dipercaya apa adanya, dicatat, lalu diperiksa setiap kali dipakai. Kalau nanti berubah, berkasnya ditolak.`,
      ]
        .filter(Boolean)
        .join(' · ')}
      confirm={t`Pasang`}
      successMessage={t`${title} sedang diunduh.`}
      values={{ accepted: objection === null }}
      change={({ accepted }) => ({ path: `models/${name}`, json: { accepted } })}
    >
      {({ field }) =>
        objection && <CheckboxField label={t`Saya sudah membaca ini dan menerimanya`} {...field('accepted')} />
      }
    </FormDialog>
  )
}
