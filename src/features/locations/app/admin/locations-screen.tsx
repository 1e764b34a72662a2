import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { formatNumber, parseNumber } from '#client/format.ts'
import { ChangeSwitch } from '#ui/admin/change-switch.tsx'
import { DialogButton, showDialog } from '#ui/admin/dialogs.tsx'
import { SearchFilter } from '#ui/admin/filters.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { ShortList } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminQuery, type Change } from '#ui/admin/queries.ts'
import { Field, TextAreaField, TextField } from '#ui/field.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { exposureLimits, locationTexts, maxWords } from '../../rules.ts'
import type { AdminLocation, ChangedLocation } from '../../schemas.ts'

const textsOf = ({ name, words, licence, source }: AdminLocation) => ({ name, words, licence, source })

const changeOf = (location: AdminLocation, change: Partial<ChangedLocation>): Change => ({
  path: `locations/${location.id}`,
  method: 'PUT',
  json: { ...textsOf(location), active: location.active, version: location.version, ...change },
})

/** Backgrounds from the operator's own light probes and photographs. */
export function LocationsScreen() {
  const { i18n, t } = useLingui()
  const query = useQuery(adminQuery<{ items: AdminLocation[] }>('locations'))
  const nameOf = ({ name }: AdminLocation) => (i18n.locale === 'en' ? name.en : name.id)
  return (
    <AdminPage
      title={t`Tempat`}
      text={t`Tempat tambahan untuk alat Latar Baru dan Headshot AI: panorama (.hdr, .exr) atau foto biasa. Langsung tampil di alatnya; hasil yang sudah jadi tidak berubah.`}
      actions={
        <DialogButton variant="primary" icon={Plus} dialog={<NewLocation />}>
          {t`Tempat baru`}
        </DialogButton>
      }
    >
      <Loaded query={query} height="h-96">
        {({ items }) => (
          <ShortList
            label={t`Tempat`}
            rows={items}
            textOf={({ id, name, words }) => `${id} ${name.id} ${name.en} ${words.id} ${words.en}`}
            filters={<SearchFilter label={t`Cari tempat`} />}
            empty={t`Belum ada tempat tambahan. Tempat bawaan selalu tersedia.`}
            columns={[
              {
                name: t`Tempat`,
                sortBy: ['name', nameOf],
                cell: (location) => (
                  <button
                    type="button"
                    className="flex cursor-pointer items-center gap-3 text-start"
                    onClick={() => showDialog(<ChangedTexts location={location} />)}
                  >
                    <img src={location.picture} alt="" className="aspect-3/4 w-12 rounded-lg object-cover" />
                    <span>
                      <span className="link link-hover block font-semibold">{nameOf(location)}</span>
                      <span className="font-mono text-muted text-xs">{location.id}</span>
                    </span>
                  </button>
                ),
              },
              {
                name: t`Ditawarkan`,
                sortBy: ['active', ({ active }) => Number(active)],
                cell: (location) => (
                  <ChangeSwitch
                    label={t`Tawarkan ${nameOf(location)}`}
                    checked={location.active}
                    change={(active) => changeOf(location, { active })}
                  />
                ),
              },
              {
                name: t`Jenis`,
                sortBy: ['kind', ({ kind }) => kind],
                cell: ({ kind, width, height }) => (
                  <span>
                    {kind === 'probe' ? t`Panorama` : t`Foto`}
                    <span className="block text-muted text-xs tabular-nums">
                      {formatNumber(width)} × {formatNumber(height)}
                    </span>
                  </span>
                ),
              },
              { name: t`Kata`, as: 'wide', cell: ({ words }) => `${words.id}; ${words.en}` },
              {
                name: t`Lisensi`,
                as: 'wide',
                cell: ({ licence, source }) => (
                  <span>
                    {licence}
                    <span className="block break-all text-muted text-xs">{source}</span>
                  </span>
                ),
              },
              {
                name: t`Tindakan`,
                cell: (location) => (
                  <DialogButton
                    variant="ghost"
                    icon={Trash2}
                    aria-label={t`Hapus ${nameOf(location)}`}
                    dialog={<Removal location={location} name={nameOf(location)} />}
                  >
                    {t`Hapus`}
                  </DialogButton>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </AdminPage>
  )
}

function useTexts() {
  const { t } = useLingui()
  const letters = (most: number) => t`1 sampai ${most} huruf`
  return {
    'location.words': t`1 sampai ${maxWords} kata atau frasa, masing-masing paling banyak tiga kata; bukan warna atau kata sambung`,
    'location.tooMany': t`Sudah terlalu banyak tempat. Hapus satu dulu.`,
    'name.id': letters(locationTexts.name),
    'name.en': letters(locationTexts.name),
    'words.id': letters(locationTexts.words),
    'words.en': letters(locationTexts.words),
    licence: letters(locationTexts.licence),
    source: letters(locationTexts.source),
    exposure: t`${exposureLimits.min} sampai ${exposureLimits.max}`,
    'upload.empty': t`Pilih berkasnya dulu`,
  }
}

type FieldOf = (name: never) => ComponentProps<'input'> & ComponentProps<'textarea'> & { error?: string | undefined }

/** Name, words, licence and source. */
function Texts({ field }: { field: FieldOf }) {
  const { t } = useLingui()
  const of = (name: string) => field(name as never)
  return (
    <>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField label={t`Nama (Indonesia)`} {...of('name.id')} />
        <TextField label={t`Nama (Inggris)`} {...of('name.en')} />
        <TextAreaField
          label={t`Kata (Indonesia)`}
          hint={t`Dipisahkan koma, misalnya: pantai, pasir putih`}
          rows={3}
          {...of('words.id')}
        />
        <TextAreaField label={t`Kata (Inggris)`} rows={3} {...of('words.en')} />
      </div>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField label={t`Lisensi`} placeholder="CC0" {...of('licence')} />
        <TextField label={t`Sumber`} placeholder="https://" {...of('source')} />
      </div>
    </>
  )
}

const empty = { name: { id: '', en: '' }, words: { id: '', en: '' }, licence: '', source: '' }

function NewLocation() {
  const { t } = useLingui()
  return (
    <FormDialog
      layout="wide"
      title={t`Tempat baru`}
      confirm={t`Tambahkan`}
      successMessage={t`Tempat sudah ditambahkan.`}
      values={{ ...empty, exposure: '0', file: undefined as unknown as FileList }}
      texts={useTexts()}
      change={({ file, exposure, ...texts }) => {
        const body = new FormData()
        body.set('location', JSON.stringify({ ...texts, exposure: parseNumber(exposure) }))
        if (file?.[0]) body.set('file', file[0])
        return { path: 'locations', body }
      }}
    >
      {({ field }) => {
        const { error, ...input } = field('file')
        return (
          <>
            <Field
              label={t`Berkas`}
              error={error}
              hint={t`Panorama 360° × 180° (.hdr, .exr), paling besar 128 MB, atau foto, paling besar 25 MB.`}
            >
              {(ids) => (
                <input
                  type="file"
                  accept=".hdr,.exr,image/*"
                  className="min-h-11 w-full"
                  required
                  {...input}
                  {...ids}
                />
              )}
            </Field>
            <Texts field={field as unknown as FieldOf} />
            <TextField
              label={t`Kecerahan`}
              hint={t`Dalam stop: −2 untuk malam, 0 untuk siang.`}
              inputMode="decimal"
              autoComplete="off"
              {...field('exposure')}
            />
          </>
        )
      }}
    </FormDialog>
  )
}

function ChangedTexts({ location }: { location: AdminLocation }) {
  const { i18n, t } = useLingui()
  return (
    <FormDialog
      layout="wide"
      title={i18n.locale === 'en' ? location.name.en : location.name.id}
      successMessage={t`Tempat sudah disimpan.`}
      values={textsOf(location)}
      texts={useTexts()}
      change={(texts) => changeOf(location, texts)}
    >
      {({ field }) => (
        <>
          <img src={location.picture} alt="" className="aspect-3/4 w-40 justify-self-center rounded-xl object-cover" />
          <Texts field={field as unknown as FieldOf} />
        </>
      )}
    </FormDialog>
  )
}

function Removal({ location, name }: { location: AdminLocation; name: string }) {
  const { t } = useLingui()
  return (
    <FormDialog
      title={t`Hapus ${name}?`}
      text={t`Tempat ini tidak ditawarkan lagi. Hasil yang sudah jadi tetap ada dan masih bisa diatur ulang.`}
      confirm={t`Hapus`}
      danger
      successMessage={t`Tempat sudah dihapus.`}
      change={{ path: `locations/${location.id}`, method: 'DELETE' }}
    />
  )
}
