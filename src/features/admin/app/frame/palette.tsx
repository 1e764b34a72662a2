import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useAtomValue } from 'jotai'
import { Languages, type LucideIcon, ReceiptText, User, UserRound } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { languageAtom } from '#client/i18n.ts'
import { store, userAtom } from '#client/session.ts'
import { chooseLanguage } from '#features/account/app/account.ts'
import { pages } from '#shared/pages.ts'
import { Dialog } from '#ui/dialog.tsx'
import { orderList, userList } from '../api.ts'
import { navFor } from './nav.ts'

const ownProfile = { path: '/admin/users/me', name: pages['/admin/users/me'].name, icon: UserRound }

interface Choice {
  text: string
  note?: string
  icon: LucideIcon
  /** Search text, if it exceeds the visible text. */
  value?: string
  onSelect: () => void
}

const personValue = ({ id, name, email }: { id: string; name: string; email: string }) => `${name} ${email} ${id}`

export function Palette({ onClose }: { onClose: () => void }) {
  const { i18n, t } = useLingui()
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The dialog has opened and focused its first button by now.
  useEffect(() => field.current?.focus(), [])
  const search = useDeferredValue(typed.trim())
  const params = { search, limit: '5' }
  const isOrder = /@|^r-?\d|^[0-9a-f-]{36}$/i.test(search)
  const users = useQuery({ ...userList.page(params), enabled: search.length >= 2 })
  const orders = useQuery({ ...orderList.page(params), enabled: search.length >= 2 && isOrder })
  const people = search.length >= 2 ? (users.data?.items ?? []) : []
  const found = isOrder ? (orders.data?.items ?? []) : []
  const first = people[0]
  useEffect(() => {
    if (first) setChosen(personValue(first))
  }, [first])
  const go = (path: string) => () => {
    onClose()
    navigate(path)
  }
  const switchLanguage = () => {
    onClose()
    void chooseLanguage(store.get(languageAtom) === 'id' ? 'en' : 'id')
  }
  const staff = useAtomValue(userAtom)
  const navEntries = [...(staff ? navFor(staff).flatMap(({ entries }) => entries) : []), ownProfile]
  const groups: [string, Choice[]][] = [
    [
      t`Pengguna`,
      people.map((user) => ({
        value: personValue(user),
        icon: User,
        text: user.name,
        note: user.email,
        onSelect: go(`/admin/users/${user.id}`),
      })),
    ],
    [
      t`Pesanan`,
      found.map(({ id, receiptNumber, buyer, package: bought, voucher }) => ({
        value: `${receiptNumber} ${buyer.email} ${id}`,
        icon: ReceiptText,
        note: buyer.email,
        text: receiptNumber ?? bought?.name ?? voucher?.code ?? id,
        onSelect: go(`/admin/billing/${id}`),
      })),
    ],
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
