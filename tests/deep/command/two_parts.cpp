// SPDX-License-Identifier: BSD-3-Clause
// Written with the OpenEXR library: the program itself writes files of one part.
#include "tests/deep/command/two_parts.h"

#include <ImfChannelList.h>
#include <ImfDeepFrameBuffer.h>
#include <ImfDeepScanLineOutputPart.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>

namespace fathom::test {

namespace {

void writeParts(const std::string& file, bool firstIsFlat) {
  std::vector<Imf::Header> headers;
  for (const char* name : {"one", "two"}) {
    Imf::Header header(1, 1);
    header.setName(name);
    header.setType(firstIsFlat && headers.empty() ? Imf::SCANLINEIMAGE : Imf::DEEPSCANLINE);
    header.setVersion(1);  // of all parts where one is deep
    header.compression() = Imf::NO_COMPRESSION;
    header.channels().insert("A", Imf::Channel(Imf::FLOAT));
    header.channels().insert("Z", Imf::Channel(Imf::FLOAT));
    headers.push_back(header);
  }
  Imf::MultiPartOutputFile out(file.c_str(), headers.data(), 2);
  for (unsigned part = 0; part < 2; ++part) {
    unsigned count = part + 1;
    std::vector<float> alpha{0.5f, 0.5f}, depth{1, 2};
    float *alphaAt = alpha.data(), *depthAt = depth.data();
    if (firstIsFlat && part == 0) {
      Imf::FrameBuffer flat;
      flat.insert("A", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(alphaAt), 4, 4));
      flat.insert("Z", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(depthAt), 4, 4));
      Imf::OutputPart rows(out, 0);
      rows.setFrameBuffer(flat);
      rows.writePixels(1);
      continue;
    }
    Imf::DeepFrameBuffer frame;
    frame.insertSampleCountSlice(Imf::Slice(Imf::UINT, reinterpret_cast<char*>(&count), 4, 4));
    frame.insert("A", Imf::DeepSlice(Imf::FLOAT, reinterpret_cast<char*>(&alphaAt), sizeof(float*),
                                     sizeof(float*), sizeof(float)));
    frame.insert("Z", Imf::DeepSlice(Imf::FLOAT, reinterpret_cast<char*>(&depthAt), sizeof(float*),
                                     sizeof(float*), sizeof(float)));
    Imf::DeepScanLineOutputPart rows(out, int(part));
    rows.setFrameBuffer(frame);
    rows.writePixels(1);
  }
}

}  // namespace

void writeTwoParts(const std::string& file) { writeParts(file, false); }
void writeFlatBesideDeep(const std::string& file) { writeParts(file, true); }

}  // namespace fathom::test
