import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { ChevronRight, ImageUp, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useBusy } from '#client/busy.ts'
import { formatAge } from '#client/format.ts'
import { findToolPage, listedPages } from '#tools/pages.ts'
import { customEditEntry } from '#tools/ui/custom-edit-entry.tsx'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'
import { FileButton } from '#ui/file-button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { type DraftFile, deliveriesAtom, draftFiles, dropDraft, openWithTool, saveDraft, takeDraft } from '../draft.ts'
import { askedInputs, mainInput, maxFiles } from '../studio/inputs.ts'
import { PasteButton, usePageDrop } from '../studio/paste-and-drop.tsx'
import { rememberToolUse, usedTools } from '../used-tools.ts'

type SharedKind = 'picture' | 'video'

/** Phones share some files without a type. */
export const kindOf = ({ type, name }: Pick<File, 'type' | 'name'>): SharedKind =>
  type.startsWith('video/') || (type === '' && /\.(mp4|m4v|mov|webm)$/i.test(name)) ? 'video' : 'picture'

const maxFilesOfKind = (page: AnyToolPage, kind: SharedKind): number =>
  askedInputs(page)
    .filter(([, input]) => input.kind === kind)
    .reduce((sum, [name]) => sum + maxFiles(page.definition, name), 0)

const least = ({ definition }: AnyToolPage) => definition.inputs[mainInput(definition)]?.min ?? 1

/**
 * Tools used last come first, then those that take all files, combining tools before batch tools.
 */
export function fittingTools(kind: SharedKind, count: number, used: readonly string[]): AnyToolPage[] {
  const several = count > 1 && kind === 'picture'
  const rank = (page: AnyToolPage) => {
    const at = used.indexOf(page.definition.id)
    return [at < 0 ? used.length : at, maxFilesOfKind(page, kind) < count ? 1 : 0, least(page) > 1 ? 0 : 1]
  }
  return listedPages
    .filter((page) => maxFilesOfKind(page, kind) >= (several ? 2 : 1) && (several || least(page) === 1))
    .map((page) => ({ page, rank: rank(page) }))
    .sort((a, b) => a.rank.map((part, i) => part - (b.rank[i] ?? 0)).find((difference) => difference !== 0) ?? 0)
    .map(({ page }) => page)
}

const recentMs = 15 * 60_000

/** `shared`: time of the share that led here, or 0 if it had no files (sw/share.ts). */
export function isOlder(at: number, shared: string | null, now = Date.now()): boolean {
  return shared === null ? at < now - recentMs : shared === '0' || at < Number(shared)
}

export function OpenWithPage() {
  const { t } = useLingui()
  const [files, setFiles] = useWaitingFiles()
  const add = (added: File[]) => setFiles([...(files ?? []), ...draftFiles(added).map(named)])
  usePageDrop(add)
  useBusy(files !== null && files.length > 0)
  const choice = useChoice(files ?? [], setFiles)
  const search = useSearch()
  if (files === null) return <div className="min-h-[60dvh]" />
  if (files.length === 0) return <NothingShared onFiles={add} />
  const shared = new URLSearchParams(search).get('shared')
  const older = files.filter(({ at }) => at !== undefined && isOlder(at, shared))
  const kinds = [...new Set(files.map(({ file }) => kindOf(file)))].sort()
  const [kind] = kinds
  const title =
    kinds.length > 1
      ? t`Mau diapakan semuanya?`
      : kind === 'video'
        ? t`Mau diapakan videonya?`
        : files.length === 1
          ? t`Mau diapakan fotonya?`
          : t`${plural(files.length, { other: 'Mau diapakan # foto ini?' })}`
  return (
    <div className="page pb-16">
      <PageHeader title={title}>
        {shared === '0' && older.length > 0 && (
          <span role="status">
            {t`Yang baru saja kamu bagikan tidak sampai. Ini dari yang sebelumnya; bagikan lagi, atau pilih di sini.`}
          </span>
        )}
      </PageHeader>
      {shared === '0' && (
        <FileButton className="mb-6" variant="soft" icon={ImageUp} accept="image/*,video/*" multiple onFiles={add}>
          {t`Pilih berkas`}
        </FileButton>
      )}
      <div className="grid grid-cols-1 gap-9">
        {kinds.map((kind) => (
          <Group key={kind} kind={kind} files={files} older={older} alone={kinds.length === 1} {...choice} />
        ))}
      </div>
    </div>
  )
}

const named = (file: DraftFile): DraftFile => ({ id: crypto.randomUUID(), ...file })

/** Null while loading. */
function useWaitingFiles(): [DraftFile[] | null, (files: DraftFile[]) => void] {
  const deliveries = useAtomValue(deliveriesAtom)
  const [files, setFiles] = useState<DraftFile[] | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs again at each delivery
  useEffect(() => {
    let mounted = true
    // A user who leaves without a choice finds them here again.
    void takeDraft(openWithTool, true).then((draft) => {
      if (mounted) setFiles((before) => (draft ? draft.files.map(named) : (before ?? [])))
    })
    return () => {
      mounted = false
    }
  }, [deliveries])
  const change = (changed: DraftFile[]) => {
    setFiles(changed)
    void (changed.length > 0 ? saveDraft({ tool: openWithTool, files: changed }) : dropDraft(openWithTool))
  }
  return [files, change]
}

function useChoice(files: readonly DraftFile[], setFiles: (files: DraftFile[]) => void) {
  const [, navigate] = useLocation()
  return {
    async onChoose(tool: string, route: string, kind: SharedKind, replace = false) {
      rememberToolUse(tool)
      await saveDraft({ tool, files: files.filter(({ file }) => kindOf(file) === kind) })
      const others = files.filter(({ file }) => kindOf(file) !== kind)
      await (others.length > 0 ? saveDraft({ tool: openWithTool, files: others }) : dropDraft(openWithTool))
      navigate(route, { replace })
    },
    onRemove: (removed: DraftFile) => setFiles(files.filter((file) => file !== removed)),
  }
}

interface GroupProps extends ReturnType<typeof useChoice> {
  kind: SharedKind
  files: readonly DraftFile[]
  older: readonly DraftFile[]
  alone: boolean
}

function Group({ kind, files, older, alone, onChoose, onRemove }: GroupProps) {
  const { t, i18n } = useLingui()
  const own = files.filter(({ file }) => kindOf(file) === kind)
  const used = usedTools()
  const tools = fittingTools(kind, own.length, used)
  // Older files must be seen before they are used.
  const only = alone && older.length === 0 && tools.length === 1 ? tools[0]?.definition : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for an only tool
  useEffect(() => {
    if (only) void onChoose(only.id, only.route, kind, true)
  }, [only])
  if (only) return null
  const choices = tools.map((page) => {
    const space = maxFilesOfKind(page, kind)
    return {
      id: page.definition.id,
      route: page.definition.route,
      icon: page.icon,
      name: page.definition.label,
      note:
        space < own.length ? t`${plural(space, { other: 'Paling banyak # sekaligus' })}` : i18n._(page.labels.tagline),
    }
  })
  const designers = { ...customEditEntry, note: i18n._(customEditEntry.tagline) }
  return (
    <section aria-label={kind === 'video' ? t`Video` : t`Foto`} className="grid grid-cols-1 gap-5">
      <ul className="flex gap-3 overflow-x-auto pt-2 pb-1">
        {own.map((file, index) => (
          <li key={file.id} className="relative w-24 shrink-0">
            <span className="block size-24">
              <Thumbnail file={file.file} kind={kind} />
            </span>
            {file.at !== undefined && older.includes(file) && (
              <span className="mt-1 block text-center text-muted text-xs">{t`Dibagikan ${formatAge(file.at, Date.now())}`}</span>
            )}
            <button
              type="button"
              className="absolute -top-1.5 -right-1.5 grid size-11 cursor-pointer place-items-center text-white"
              aria-label={kind === 'video' ? t`Buang video ${index + 1}` : t`Buang foto ${index + 1}`}
              onClick={() => onRemove(file)}
            >
              <X aria-hidden className="size-6.5 rounded-full bg-[rgb(24_18_12/0.72)] p-1" />
            </button>
          </li>
        ))}
      </ul>
      <ul className="grid grid-cols-1 gap-3 md:grid-cols-2 lg:grid-cols-3">
        {[...choices, ...(kind === 'picture' ? [designers] : [])].map(({ id, route, icon, name, note }) => (
          <li key={id}>
            <button
              type="button"
              className="card h-full w-full cursor-pointer flex-row items-center gap-4 p-4 text-left transition-shadow hover:shadow-lift"
              onClick={() => void onChoose(id, route, kind)}
            >
              <ToolIcon mark={icon} className="size-9 shrink-0" />
              <span className="wrap-anywhere min-w-0 flex-1">
                <span className="flex flex-wrap items-center gap-x-2 font-semibold">
                  {i18n._(name)}
                  {id === used[0] && (
                    <span className="rounded-full bg-soft px-2 text-on-soft text-sm">{t`Terakhir dipakai`}</span>
                  )}
                </span>
                <span className="block text-muted text-sm">{note}</span>
              </span>
              <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Thumbnail({ file, kind }: { file: File; kind: SharedKind }) {
  const url = useObjectUrl(file)
  const className = 'size-full rounded-2xl bg-base-300 thumbnail-picture shadow-card'
  if (!url) return <div className={className} />
  if (kind === 'video') return <video src={url} aria-label={file.name} muted playsInline className={className} />
  return <img src={url} alt={file.name} className={className} />
}

function NothingShared({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t, i18n } = useLingui()
  const lost = new URLSearchParams(useSearch()).get('shared') === '0'
  const last = usedTools().flatMap((id) => findToolPage(id) ?? [])[0]
  const name = last && i18n._(last.definition.label)
  return (
    <div className="page pb-16">
      <PageHeader title={t`Pilih foto atau video`}>
        {lost
          ? t`Tidak ada berkas yang sampai dari yang kamu bagikan. Pilih lagi di sini, ya.`
          : t`Setelah itu pilih alatnya. Dari galeri, bagikan saja langsung ke Rupa.`}
      </PageHeader>
      <div className="grid max-w-xs grid-cols-1 gap-2.5">
        <FileButton size="lg" icon={ImageUp} accept="image/*,video/*" multiple onFiles={onFiles}>
          {t`Pilih berkas`}
        </FileButton>
        <PasteButton onFiles={onFiles} />
        {last && (
          <Link to={last.definition.route} className="btn btn-ghost">
            <Trans>Lanjut di {name}</Trans>
          </Link>
        )}
      </div>
    </div>
  )
}
