export { ar as default } from 'vuetify/locale'
