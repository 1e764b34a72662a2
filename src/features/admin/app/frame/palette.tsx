import { useLingui } from '@lingui/react/macro'
import { useQueries } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useAtomValue } from 'jotai'
import { Languages, type LucideIcon, UserRound } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { languageAtom } from '#client/i18n.ts'
import { store, userAtom } from '#client/session.ts'
import type { Language } from '#shared/language.ts'
import { adminList } from '#ui/admin/queries.ts'
import { Dialog } from '#ui/dialog.tsx'
import type { PaletteSearch } from '../../contributions.ts'
import { staffPages } from '../../pages.ts'
import { navFor } from './nav.ts'

const ownProfile = { path: '/admin/users/me', name: staffPages['/admin/users/me'].name, icon: UserRound }

interface Choice {
  text: string
  note?: string
  icon: LucideIcon
  /** Search text, if it exceeds the visible text. */
  value?: string
  onSelect: () => void
}

interface PaletteProps {
  searches: readonly PaletteSearch[]
  onLanguage: (language: Language) => Promise<void>
  onClose: () => void
}

export function Palette({ searches, onLanguage, onClose }: PaletteProps) {
  const { i18n, t } = useLingui()
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The dialog has opened and focused its first button by now.
  useEffect(() => field.current?.focus(), [])
  const search = useDeferredValue(typed.trim())
  const params = { search, limit: '5' }
  const accepts = (source: PaletteSearch) => search.length >= 2 && source.accepts(search)
  const queries = searches.map((source) => ({
    ...adminList<never>(source.path).page(params),
    enabled: accepts(source),
  }))
  const results = useQueries({ queries })
  const rowsOf = (index: number) => results[index]?.data?.items ?? []
  const [best] = searches
  const firstRow = best && accepts(best) ? rowsOf(0)[0] : undefined
  useEffect(() => {
    if (best && firstRow !== undefined) setChosen(best.choiceOf(firstRow).value)
  }, [best, firstRow])
  const go = (path: string) => () => {
    onClose()
    navigate(path)
  }
  const switchLanguage = () => {
    onClose()
    void onLanguage(store.get(languageAtom) === 'id' ? 'en' : 'id')
  }
  const staff = useAtomValue(userAtom)
  const navEntries = [...(staff ? navFor(staff).flatMap(({ entries }) => entries) : []), ownProfile]
  const groups: [string, Choice[]][] = [
    ...searches.map((source, index): [string, Choice[]] => [
      i18n._(source.name),
      (accepts(source) ? rowsOf(index) : []).map((row) => {
        const { path, ...choice } = source.choiceOf(row)
        return { ...choice, icon: source.icon, onSelect: go(path) }
      }),
    ]),
    [
      t`Halaman`,
      [
        ...navEntries.map(({ path, name, icon }) => ({ text: i18n._(name), icon, onSelect: go(path) })),
        { text: t`Ganti bahasa`, icon: Languages, onSelect: switchLanguage },
      ],
    ],
  ]
  return (
    <Dialog open onClose={onClose} title={t`Cari atau lompat ke…`} titleHidden layout="top">
      <Command label={t`Cari atau lompat ke…`} value={chosen} onValueChange={setChosen} loop>
        <Command.Input
          ref={field}
          value={typed}
          onValueChange={setTyped}
          className="h-13 w-full border-line border-b px-4.5 text-base outline-none"
          placeholder={t`Halaman, nama, email, atau nomor kuitansi`}
        />
        <Command.List className="max-h-88 overflow-y-auto p-2">
          <Command.Empty className="p-6 text-center text-muted">{t`Tidak ada yang cocok.`}</Command.Empty>
          {groups.map(
            ([name, choices]) =>
              choices.length > 0 && (
                <Command.Group
                  key={name}
                  heading={<span className="block px-2.5 pt-2.5 pb-1 font-semibold text-muted text-xs">{name}</span>}
                >
                  {choices.map(({ text, value = text, note, icon: Icon, onSelect }) => (
                    <Command.Item
                      key={value}
                      value={value}
                      onSelect={onSelect}
                      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-field px-2.5 aria-selected:bg-soft aria-selected:text-on-soft"
                    >
                      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
                      <span className="truncate">{text}</span>
                      <span className="truncate text-muted">{note}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ),
          )}
        </Command.List>
      </Command>
    </Dialog>
  )
}
