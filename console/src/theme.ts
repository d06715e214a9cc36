import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 6,
  defaultRadius: 'md',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontWeight: '600' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  colors: {
    brand: [
      '#eef1ff',
      '#dde3ff',
      '#bcc7fd',
      '#96a6fa',
      '#7487f5',
      '#5a6df0',
      '#4353d6',
      '#3b49c4',
      '#333e9f',
      '#2d3682',
    ],
    gray: [
      '#f7f8fa',
      '#eff1f4',
      '#e3e6eb',
      '#d3d8e0',
      '#b3bac6',
      '#8d96a5',
      '#687182',
      '#4b5464',
      '#343c4a',
      '#1a202b',
    ],
    dark: [
      '#e6e9ef',
      '#b9c0cc',
      '#a0a9b8',
      '#7d8695',
      '#3a424f',
      '#272d37',
      '#1b2027',
      '#161a20',
      '#12161b',
      '#0e1116',
    ],
    red: [
      '#fdecea',
      '#fad5d2',
      '#f3a9a3',
      '#ee7d75',
      '#e85a50',
      '#d9433a',
      '#c0322a',
      '#a82820',
      '#8f211b',
      '#741b16',
    ],
  },
  components: {
    // Two sizes: `sm` for pages and dialogs, `xs` inside panels and rows.
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    // A header element would be a second banner landmark.
    ModalHeader: { defaultProps: { component: 'div' } },
    Drawer: { defaultProps: { padding: 'lg', closeButtonProps: { 'aria-label': 'Close' } } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Menu: { defaultProps: { shadow: 'md', radius: 'md' } },
  },
});

/** Binds Mantine's colour names to those of theme.css, because Mantine's greys are too pale for small text. */
export const cssVariables: CSSVariablesResolver = () => {
  const common = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-placeholder': 'var(--muted)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default-border': 'var(--line-strong)',
    // Text of subtle buttons: in dark mode Mantine's own is almost white.
    '--mantine-color-brand-light-color': 'var(--accent)',
    '--mantine-color-brand-light-hover': 'var(--accent-soft)',
    '--mantine-color-red-light-color': 'var(--bad)',
    '--mantine-color-red-light-hover': 'var(--bad-soft)',
  };
  return { variables: {}, light: common, dark: common };
};
