import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Languages, ReceiptText, User, UserRound } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { languageAtom } from '#client/i18n.ts'
import { store } from '#client/session.ts'
import { pages } from '#contract/pages.ts'
import { chooseLanguage } from '#features/account/app/account.ts'
import { Dialog } from '#ui/dialog.tsx'
import { ordersQuery, usersQuery } from '../calls.ts'
import { navFor } from './nav.ts'

const personValue = ({ id, name, email }: { id: string; name: string; email: string }) => `${name} ${email} ${id}`

function Found({
  search,
  go,
  onPerson,
}: {
  search: string
  go: (path: string) => void
  /** The first person found, as the list names them. */
  onPerson: (value: string) => void
}) {
  const { t } = useLingui()
  const params = { search, limit: '5' }
  const users = useQuery({ ...usersQuery(params), placeholderData: keepPreviousData })
  const first = users.data?.items[0]
  const latest = useRef(onPerson)
  latest.current = onPerson
  useEffect(() => {
    if (first) latest.current(personValue(first))
  }, [first])
  const isOrder = /@|^r-?\d|^[0-9a-f-]{36}$/i.test(search)
  const orders = useQuery({ ...ordersQuery(params), enabled: isOrder })
  return (
    <>
      {(users.data?.items.length ?? 0) > 0 && (
        <Command.Group heading={t`Pengguna`}>
          {users.data?.items.map((user) => (
            <Command.Item key={user.id} value={personValue(user)} onSelect={() => go(`/admin/users/${user.id}`)}>
              <User aria-hidden />
              <span className="truncate">{user.name}</span>
              <span className="truncate text-muted">{user.email}</span>
            </Command.Item>
          ))}
        </Command.Group>
      )}
      {isOrder && (orders.data?.items.length ?? 0) > 0 && (
        <Command.Group heading={t`Pesanan`}>
          {orders.data?.items.map(({ id, receiptNumber, buyer, package: bought, voucher }) => (
            <Command.Item
              key={id}
              value={`${receiptNumber} ${buyer.email} ${id}`}
              onSelect={() => go(`/admin/billing/${id}`)}
            >
              <ReceiptText aria-hidden />
              <span>{receiptNumber ?? bought?.name ?? voucher?.code}</span>
              <span className="truncate text-muted">{buyer.email}</span>
            </Command.Item>
          ))}
        </Command.Group>
      )}
    </>
  )
}

/** Goes anywhere by a few letters: a place, a person, an order. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { i18n, t } = useLingui()
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The dialog has opened by now, and has given the focus to its first button.
  useEffect(() => field.current?.focus(), [])
  const ownProfile = i18n._(pages['/admin/users/me'].name)
  const search = useDeferredValue(typed.trim())
  const go = (path: string) => {
    onClose()
    navigate(path)
  }
  return (
    <Dialog open onClose={onClose} title={t`Cari atau lompat ke…`} titleHidden>
      <Command
        data-palette
        className="[&_svg]:size-4 [&_svg]:text-muted"
        label={t`Cari atau lompat ke…`}
        value={chosen}
        onValueChange={setChosen}
        loop
      >
        <Command.Input
          ref={field}
          value={typed}
          onValueChange={setTyped}
          placeholder={t`Halaman, nama, email, atau nomor kuitansi`}
        />
        <Command.List>
          <Command.Empty>{t`Tidak ada yang cocok.`}</Command.Empty>
          {search.length >= 2 && <Found search={search} go={go} onPerson={setChosen} />}
          <Command.Group heading={t`Halaman`}>
            {navFor('admin').flatMap(({ entries }) =>
              entries.map(({ path, name, icon: Icon }) => (
                <Command.Item key={path} value={i18n._(name)} onSelect={() => go(path)}>
                  <Icon aria-hidden />
                  {i18n._(name)}
                </Command.Item>
              )),
            )}
            <Command.Item value={ownProfile} onSelect={() => go('/admin/users/me')}>
              <UserRound aria-hidden />
              {ownProfile}
            </Command.Item>
            <Command.Item
              value={t`Ganti bahasa`}
              onSelect={() => {
                onClose()
                void chooseLanguage(store.get(languageAtom) === 'id' ? 'en' : 'id')
              }}
            >
              <Languages aria-hidden />
              {t`Ganti bahasa`}
            </Command.Item>
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  )
}
