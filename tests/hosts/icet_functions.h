/* SPDX-License-Identifier: BSD-3-Clause
 * Functions that IceT's library exports and its headers do not declare: what takes and gives images
 * that were compressed elsewhere.
 */
#ifndef TESTS_HOSTS_ICET_FUNCTIONS_H
#define TESTS_HOSTS_ICET_FUNCTIONS_H

#include <IceT.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
  IceTVoid* opaque_internals;
} Sparse;
IceTImage icetImageAssignBuffer(IceTVoid*, IceTSizeType, IceTSizeType);
IceTSizeType icetImageBufferSize(IceTSizeType, IceTSizeType);
Sparse icetSparseImageAssignBuffer(IceTVoid*, IceTSizeType, IceTSizeType);
Sparse icetSparseImageUnpackageFromReceive(IceTVoid*);
IceTSizeType icetSparseImageGetCompressedBufferSize(const Sparse);
void icetCompressImage(const IceTImage, Sparse);
void icetSingleImageCompose(const IceTInt*, IceTInt, IceTInt, Sparse, Sparse*, IceTSizeType*);
void icetSingleImageCollect(const Sparse, IceTInt, IceTSizeType, IceTImage);
void icetStateSetBoolean(IceTEnum, IceTBoolean);
void icetStateSetInteger(IceTEnum, IceTInt);
void icetStateSetFloatv(IceTEnum, IceTSizeType, const IceTFloat*);
#ifdef __cplusplus
}
#endif
#endif
