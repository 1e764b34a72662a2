import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Languages, type LucideIcon, ReceiptText, User, UserRound } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { languageAtom } from '#client/i18n.ts'
import { store } from '#client/session.ts'
import { pages } from '#contract/pages.ts'
import { chooseLanguage } from '#features/account/app/account.ts'
import { Dialog } from '#ui/dialog.tsx'
import { orderList, userList } from '../api.ts'
import { navFor } from './nav.ts'

const ownProfile = { path: '/admin/users/me', name: pages['/admin/users/me'].name, icon: UserRound }

const heading = (text: string) => (
  <span className="block px-2.5 pt-2.5 pb-1 font-semibold text-muted text-xs">{text}</span>
)

function Item({
  value,
  onSelect,
  icon: Icon,
  children,
}: {
  value: string
  onSelect: () => void
  icon: LucideIcon
  children: ReactNode
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-field px-2.5 aria-selected:bg-soft aria-selected:text-on-soft"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      {children}
    </Command.Item>
  )
}

const personValue = ({ id, name, email }: { id: string; name: string; email: string }) => `${name} ${email} ${id}`

/** Goes anywhere by a few letters: a place, a person, an order. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { i18n, t } = useLingui()
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The dialog has opened by now, and has given the focus to its first button.
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
  const go = (path: string) => {
    onClose()
    navigate(path)
  }
  return (
    <Dialog open onClose={onClose} title={t`Cari atau lompat ke…`} titleHidden place="top">
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
          {people.length > 0 && (
            <Command.Group heading={heading(t`Pengguna`)}>
              {people.map((user) => (
                <Item
                  key={user.id}
                  icon={User}
                  value={personValue(user)}
                  onSelect={() => go(`/admin/users/${user.id}`)}
                >
                  <span className="truncate">{user.name}</span>
                  <span className="truncate text-muted">{user.email}</span>
                </Item>
              ))}
            </Command.Group>
          )}
          {found.length > 0 && (
            <Command.Group heading={heading(t`Pesanan`)}>
              {found.map(({ id, receiptNumber, buyer, package: bought, voucher }) => (
                <Item
                  key={id}
                  icon={ReceiptText}
                  value={`${receiptNumber} ${buyer.email} ${id}`}
                  onSelect={() => go(`/admin/billing/${id}`)}
                >
                  <span>{receiptNumber ?? bought?.name ?? voucher?.code}</span>
                  <span className="truncate text-muted">{buyer.email}</span>
                </Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading={heading(t`Halaman`)}>
            {[...navFor('admin').flatMap(({ entries }) => entries), ownProfile].map(({ path, name, icon }) => (
              <Item key={path} icon={icon} value={i18n._(name)} onSelect={() => go(path)}>
                {i18n._(name)}
              </Item>
            ))}
            <Item
              icon={Languages}
              value={t`Ganti bahasa`}
              onSelect={() => {
                onClose()
                void chooseLanguage(store.get(languageAtom) === 'id' ? 'en' : 'id')
              }}
            >
              {t`Ganti bahasa`}
            </Item>
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  )
}
