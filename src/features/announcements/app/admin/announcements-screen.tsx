import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { serverNow } from '#client/device/server-time.ts'
import { formatWib, fromWibField, toWibField } from '#client/wib.ts'
import { DialogButton, showDialog } from '#ui/admin/dialogs.tsx'
import { SearchFilter } from '#ui/admin/filters.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { ShortList } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminQuery, useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { TextAreaField, TextField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Code } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { numberColumns } from '#ui/lists/table.tsx'
import { LinkTabs } from '#ui/lists/tabs.tsx'
import { announcementTexts, isShown } from '../../rules.ts'
import type { StaffAnnouncement } from '../../schemas.ts'

const number = numberColumns<StaffAnnouncement>()

function stateOf(announcement: StaffAnnouncement): 0 | 1 | 2 {
  const now = serverNow()
  if (isShown(announcement, now)) return 0
  return Date.parse(announcement.startsAt) > now ? 1 : 2
}

function State({ announcement }: { announcement: StaffAnnouncement }) {
  const { t } = useLingui()
  const state = stateOf(announcement)
  if (state === 0) return <Badge tone="good">{t`Tampil`}</Badge>
  return state === 1 ? <Badge tone="warn">{t`Terjadwal`}</Badge> : <Badge>{t`Selesai`}</Badge>
}

/** The mails' texts are the other tab of the page. */
export function AnnouncementsScreen({ Mails }: { Mails: ComponentType<{ tabs: ReactNode }> }) {
  return useListParams().params.tab === 'mails' ? <Mails tabs={<Tabs />} /> : <Announcements />
}

function Tabs() {
  const { t } = useLingui()
  const { tab } = useListParams().params
  const path = '/admin/pengumuman'
  return (
    <LinkTabs
      label={t`Yang dibaca pengguna`}
      current={tab === 'mails' ? 'mails' : 'announcements'}
      tabs={[
        { id: 'announcements', name: t`Di aplikasi`, to: path },
        { id: 'mails', name: t`Email`, to: `${path}?tab=mails` },
      ]}
    />
  )
}

function Announcements() {
  const { i18n, t } = useLingui()
  const query = useQuery(adminQuery<{ items: StaffAnnouncement[] }>('announcements'))
  const end = useChange({ successMessage: t`Pengumuman sudah diakhiri.` })
  const endNow = ({ id, ...announcement }: StaffAnnouncement) =>
    end.mutate({
      path: `announcements/${id}`,
      method: 'PUT',
      json: { ...announcement, endsAt: new Date(serverNow()).toISOString() },
    })
  return (
    <AdminPage
      title={t`Pengumuman`}
      text={t`Tampil di atas halaman aplikasi sampai waktunya habis atau orang menutupnya. Yang mulai dalam sehari juga muncul di perangkat yang saat itu offline.`}
      actions={
        <DialogButton variant="primary" icon={Plus} dialog={<AnnouncementDialog announcement={null} />}>
          {t`Pengumuman baru`}
        </DialogButton>
      }
    >
      <Tabs />
      <Loaded query={query} height="h-64">
        {({ items }) => (
          <ShortList
            label={t`Pengumuman`}
            rows={items}
            textOf={({ text, path }) => `${text.id} ${text.en} ${path ?? ''}`}
            defaultSort="starts_down"
            filters={<SearchFilter label={t`Cari pengumuman`} />}
            empty={t`Belum ada pengumuman.`}
            columns={[
              {
                name: t`Teks`,
                as: 'wide',
                cell: (announcement) => (
                  <button
                    type="button"
                    className="cursor-pointer text-start"
                    onClick={() => showDialog(<AnnouncementDialog announcement={announcement} />)}
                  >
                    <span className="grid">
                      <span className="link link-hover font-semibold">
                        {i18n.locale === 'en' ? announcement.text.en : announcement.text.id}
                      </span>
                      {announcement.path && <Code>{announcement.path}</Code>}
                    </span>
                  </button>
                ),
              },
              {
                name: t`Status`,
                sortBy: ['state', stateOf],
                cell: (announcement) => <State announcement={announcement} />,
              },
              number(t`Mulai`, 'starts', ({ startsAt }) => startsAt, formatWib),
              number(
                t`Sampai`,
                'ends',
                ({ endsAt }) => endsAt,
                (moment) => (moment ? formatWib(moment) : '–'),
              ),
              {
                name: t`Tindakan`,
                as: 'actions',
                cell: (announcement) =>
                  isShown(announcement, serverNow()) && (
                    <Button variant="outline" busy={end.isPending} onClick={() => endNow(announcement)}>
                      {t`Akhiri`}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </AdminPage>
  )
}

function AnnouncementDialog({ announcement }: { announcement: StaffAnnouncement | null }) {
  const { t } = useLingui()
  const rule = t`1 sampai ${announcementTexts.text} huruf`
  const words = { rows: 2, maxLength: announcementTexts.text }
  return (
    <FormDialog
      title={announcement ? t`Ubah pengumuman` : t`Pengumuman baru`}
      successMessage={t`Pengumuman sudah disimpan.`}
      values={{
        text: announcement?.text ?? { id: '', en: '' },
        path: announcement?.path ?? '',
        startsAt: toWibField(announcement?.startsAt ?? new Date(serverNow()).toISOString()),
        endsAt: announcement?.endsAt ? toWibField(announcement.endsAt) : '',
      }}
      change={({ text, path, startsAt, endsAt }) => ({
        path: announcement ? `announcements/${announcement.id}` : 'announcements',
        method: announcement ? 'PUT' : 'POST',
        json: {
          text,
          path: path.trim() || null,
          startsAt: fromWibField(startsAt),
          endsAt: endsAt ? fromWibField(endsAt) : null,
          ...(announcement && { version: announcement.version }),
        },
      })}
      texts={{
        'text.id': rule,
        'text.en': rule,
        path: t`Halaman aplikasi, mulai dengan /`,
        startsAt: t`Waktu ini tidak bisa dipakai`,
        endsAt: t`Harus setelah waktu mulai`,
      }}
    >
      {({ field }) => (
        <>
          <TextAreaField label={t`Teks (Indonesia)`} {...words} {...field('text.id')} />
          <TextAreaField label={t`Teks (Inggris)`} {...words} {...field('text.en')} />
          <TextField
            label={t`Menuju halaman`}
            hint={t`Misalnya /pricing. Kosong: tanpa tautan.`}
            autoComplete="off"
            {...field('path')}
          />
          <TextField label={t`Mulai (WIB)`} type="datetime-local" {...field('startsAt')} />
          <TextField
            label={t`Sampai (WIB)`}
            hint={t`Kosong: sampai diakhiri`}
            type="datetime-local"
            {...field('endsAt')}
          />
        </>
      )}
    </FormDialog>
  )
}
