export { zhHans as default } from 'vuetify/locale'
