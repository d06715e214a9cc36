export { Autocomplete as default } from '@mantine/core';
