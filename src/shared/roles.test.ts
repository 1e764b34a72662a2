import { expect, test } from 'vitest'
import { type Permission, permissionsOf, refusalToActOn, type Staff, type StaffWork } from './roles.ts'

const accounts = {
  user: { id: 'user', role: 'user' },
  designer: { id: 'designer', role: 'designer' },
  finance: { id: 'finance', role: 'admin', duty: 'finance' },
  support: { id: 'support', role: 'admin', duty: 'support' },
  admin: { id: 'admin', role: 'admin', duty: null },
  second: { id: 'second', role: 'admin', duty: null },
} satisfies Record<string, Staff & { id: string }>
type Name = keyof typeof accounts
const names = Object.keys(accounts) as Name[]
const mayActOn = (staff: Name, work?: StaffWork) =>
  names.filter((name) => refusalToActOn(accounts[staff], accounts[name], work) === undefined)

test.each<[Name, Name[]]>([
  ['user', []],
  ['designer', ['user']],
  ['finance', ['user', 'designer']],
  ['support', ['user', 'designer']],
  ['admin', ['user', 'designer', 'finance', 'support', 'second']],
])('%s acts on the accounts below their own alone, and an admin on every other one', (staff, others) => {
  expect(mayActOn(staff)).toEqual(others)
})

test('the refusal distinguishes the own account from accounts of equal or higher rank', () => {
  expect(refusalToActOn(accounts.admin, accounts.admin)).toBe('account.own')
  expect(refusalToActOn(accounts.support, accounts.admin)).toBe('account.higher_duty')
  expect(refusalToActOn(accounts.finance, accounts.support)).toBe('account.higher_duty')
})

test('support actions are allowed for every account except the own', () => {
  expect(mayActOn('designer', 'service')).toEqual(names.filter((name) => name !== 'designer'))
})

test.each<[Name, Permission[]]>([
  ['user', ['overview', 'people', 'requests', 'control']],
  ['designer', ['overview', 'people', 'help', 'orders']],
  ['finance', ['help', 'refunds', 'requests', 'moderation', 'shop', 'control']],
  ['support', ['credits', 'money', 'approvals', 'shop', 'control']],
])('%s is denied %s', (name, denied) => {
  expect(permissionsOf(accounts[name]).filter((permission) => denied.includes(permission))).toEqual([])
})
