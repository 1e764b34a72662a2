import { createContext } from 'react'

/** On phones the buttons for groups of options are portalled here, below the scrolling options. */
export const OptionTabs = createContext<HTMLElement | null>(null)
